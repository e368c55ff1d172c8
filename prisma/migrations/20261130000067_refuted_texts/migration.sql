-- What was refuted is not taken in again in the same words: each capture asks.
create index memory_refuted on memory (tenant_id, octet_length(text)) where state = 'refuted';

-- What was added without a look at the rows that were there.
alter table outbox validate constraint outbox_kind_check;
alter table conversation validate constraint conversation_summary_check;

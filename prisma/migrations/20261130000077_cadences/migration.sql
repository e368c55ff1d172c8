-- How often a step of the night is wanted, and whether at all: a row of its own for each step that is not as shipped.

alter table schedule drop constraint schedule_kind_check;
alter table schedule add constraint schedule_kind_check check (kind ~ '^[a-z]{3,20}$');
alter table schedule add column cadence text check (cadence in ('nightly', 'weekly', 'monthly', 'quarterly'));
comment on column schedule.cadence is 'Of a step; null: as shipped. The hour is that of the night.';

grant insert (tenant_id, kind, cadence, paused, updated_at), update (cadence) on schedule to mem_app;
create policy app_write on schedule for insert to mem_app with check ((select is_tenant_admin()));

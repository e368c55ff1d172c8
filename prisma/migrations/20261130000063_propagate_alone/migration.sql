-- A run that lends and gives no credit along time first: asked for by a person, never by the night.

alter table maintenance_run drop constraint maintenance_run_kind_check;
alter table maintenance_run add constraint maintenance_run_kind_check check (kind in ('nightly', 'propagate'));

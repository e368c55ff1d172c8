-- The checks that were widened hold for the rows that were there before, too.
alter table outbox validate constraint outbox_kind_check;
alter table data_export validate constraint data_export_section_check;
alter table export_part validate constraint export_part_file_check;

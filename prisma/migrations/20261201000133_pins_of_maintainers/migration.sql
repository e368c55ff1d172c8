-- A pin puts a memory before everybody, and unasked. It is the word of who maintains what it is shared with, about the words that stood
-- there: whoever else shares a pinned memory of his own, or writes other words into one that a maintainer pinned, takes the pin off.
grant execute on function maintains_memory(memory) to mem_definer;

create function unpin_unmaintained() returns trigger language plpgsql set search_path = '' as $$
begin
  -- Machines have no person behind them: what they merge was pinned where it is.
  if public.uid() is null then
    return new;
  end if;
  if not public.maintains_memory(new) then
    new.pinned := false;
  end if;
  return new;
end $$;
-- After guard_pin, whose name comes first: that one is about pins which somebody asks for.
create trigger unpin_unmaintained before update on memory for each row
  when (new.pinned and new.scope <> 'private' and (new.title <> old.title or new.text <> old.text or new.scope <> old.scope
    or new.project_id is distinct from old.project_id or new.group_id is distinct from old.group_id))
  execute function unpin_unmaintained();
revoke execute on function unpin_unmaintained() from public;

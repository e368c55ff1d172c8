import type { AttackName } from './attacks.js';

/** Slips in what carries a copy of its memory's audience, or is seen by the ends that it joins. */
export const copyMutants: readonly {
  readonly name: string;
  readonly sql: string;
  readonly noticedBy: readonly AttackName[];
}[] = [
  {
    name: 'statistics seen by the whole tenant',
    sql: 'alter policy app_read on memory_stat using ((select is_member()))',
    noticedBy: ['private'],
  },
  {
    name: 'questions of votes seen by the whole tenant',
    sql: 'alter policy app_read on vote_question using ((select is_member()))',
    noticedBy: ['private'],
  },
  {
    name: 'statistics of what was forgotten',
    sql: 'drop policy not_forgotten on memory_stat',
    noticedBy: ['matrix'],
  },
  {
    name: 'questions of what was forgotten',
    sql: 'drop policy not_forgotten on vote_question',
    noticedBy: ['matrix'],
  },
  {
    name: 'statistics stay where the memory was',
    sql: 'drop trigger move_sight on memory',
    noticedBy: ['copies'],
  },
  {
    name: 'vectors stay where the memory was',
    sql: 'drop trigger follow on memory',
    noticedBy: ['copies'],
  },
  {
    name: 'the audience of a question is the writer’s word',
    sql: 'alter table vote_question disable trigger copy_sight; grant insert on vote_question to mem_app',
    noticedBy: ['catalogue'],
  },
  {
    name: 'a link is seen by one end',
    sql: `alter policy app_read on link using (1 <= (select count(*) from memory m
      where m.tenant_id = link.tenant_id and m.id = any (array[link.from_id, link.to_id])))`,
    noticedBy: ['matrix'],
  },
];

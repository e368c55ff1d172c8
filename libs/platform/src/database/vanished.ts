import { AppError } from '@tempera/client-kit';

/** What Postgres says when a row's end is gone, or is taken away under a row; the name of the key is ours. */
const KEY = /(insert or update|update or delete) on table "\w+" violates foreign key constraint "(\w+)"/;

const groupChanged = (): AppError =>
  new AppError(
    'conflict',
    'group-changed',
    'The group, or which projects are in it, changed a moment ago; look at it again and repeat this.',
  );

const goneMeanwhile = (): AppError =>
  new AppError(
    'conflict',
    'gone-meanwhile',
    'Something that this refers to went a moment ago; look again and repeat this.',
  );

/** Keys whose two ends people and machines change at the same time; every other violation is a fault of ours. */
const RACES: readonly (readonly [key: RegExp, said: () => AppError])[] = [
  [/^(memory_group|group_project_|proposal_tenant_id_to_group)/, groupChanged],
  [/^(proposal|vote|vote_question|retrieval_hit|link|embedding|memory_tenant_id_session)_/, goneMeanwhile],
];

/**
 * A caller looks at a group, a memory or an answer, and it goes before what points to it is stored: the key refuses that,
 * and it is nobody's fault. @returns null where the key is none of those
 */
export const asVanished = (words: string): AppError | null => {
  const [, act, key = ''] = KEY.exec(words) ?? [];
  if (act === undefined) return null;
  const [, said] = RACES.find(([pattern]) => pattern.test(key)) ?? [];
  return said?.() ?? null;
};

import { readsLikeInstruction } from '@tempera/client-kit';
import type { MemoryId } from '@tempera/core';
import { type InjectableMemory, type InjectionPlace, readInjectable, type Tx } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireAccess } from '../memories/place-capture.js';
import type { InjectedItem } from './injection.types.js';

/** A session's place in a project; null for an admin who sees the project and is no member. @throws AppError `not-found` */
export const injectionPlace = async (
  tx: Tx,
  caller: Caller,
  projectSlug: string,
  sessionKey: string,
): Promise<InjectionPlace | null> => {
  const project = await requireAccess(tx, caller, projectSlug);
  return project.isMember
    ? { tenantId: caller.tenantId, userId: caller.userId, projectId: project.id, sessionKey }
    : null;
};

/** Of these memories what may be put before the caller unasked, by id: nothing that reads as an order to the agent. */
export const itemsOf = async (
  tx: Tx,
  place: InjectionPlace,
  ids: readonly MemoryId[],
  now: Date,
): Promise<ReadonlyMap<MemoryId, InjectedItem>> => {
  const rows = await readInjectable(tx, place, ids, now);
  return new Map([...rows].flatMap(([id, row]) => (isOrder(row) ? [] : [[id, toItem(row)]])));
};

const isOrder = ({ title, textEnds }: InjectableMemory): boolean => readsLikeInstruction(`${title}\n${textEnds}`);

const toItem = ({ id, title, kind, author, isOwn, at, scope }: InjectableMemory): InjectedItem => ({
  ...{ id, title: title.replaceAll(/\s+/gu, ' ').trim(), kind, author, isOwn, at, scope },
});

import { AppError } from '@tempera/client-kit';
import type { TenantId } from '@tempera/core';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a cursor is good for: one tenant (or the operators), one list, one filter. `filter` must be JSON. */
export interface PageBound {
  readonly tenantId: TenantId | 'operators';
  readonly list: string;
  readonly filter?: unknown;
}

/** Where a page ended: the values of the columns that the list is ordered by, as texts. */
export type Position = readonly string[];

const TAG_BYTES = 16;
const MAX_CURSOR_LENGTH = 1_024;

const tagOf = (key: Uint8Array, payload: string, { tenantId, list, filter }: PageBound): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([payload, tenantId, list, filter ?? null]))
    .digest()
    .subarray(0, TAG_BYTES);

/** An opaque text that leads back to the position, in this tenant, list and filter only. Signed with the first key. */
export const encodeCursor = ([key]: readonly Uint8Array[], position: Position, bound: PageBound): string => {
  if (key === undefined) throw new Error('There is no key for cursors.');
  const payload = JSON.stringify(position);
  return Buffer.concat([tagOf(key, payload, bound), Buffer.from(payload, 'utf8')]).toString('base64url');
};

/** @throws AppError `invalid-input` for anything but a cursor made with one of the keys for this very list */
export const decodeCursor = (keys: readonly Uint8Array[], cursor: string, bound: PageBound): Position => {
  const bytes = Buffer.from(cursor.slice(0, MAX_CURSOR_LENGTH), 'base64url');
  const payload = bytes.subarray(TAG_BYTES).toString('utf8');
  const tag = bytes.subarray(0, TAG_BYTES);
  const isOurs = tag.length === TAG_BYTES && keys.some((key) => timingSafeEqual(tag, tagOf(key, payload, bound)));
  if (!isOurs) {
    throw new AppError('invalid-input', 'cursor', '`after` is not a cursor of this list; start without it.');
  }
  // The tag shows that encodeCursor wrote it.
  return JSON.parse(payload) as Position;
};

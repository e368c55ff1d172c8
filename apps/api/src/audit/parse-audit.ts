import { AppError } from '@tempera/client-kit';
import type { AuditListFilter } from '@tempera/platform';
import { parseUuid } from '../graphql/ids.js';
import type { AuditFilter, KeptHeadInput } from './audit.types.js';
import type { KeptHead } from './verify-chain.js';

/** What no row has: a filter by an id that is none finds nothing, like one by an unknown id. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** @throws AppError `invalid-input` */
export const parseAuditFilter = ({ action, actorId, subjectId, from, to }: AuditFilter): AuditListFilter => {
  if (from && to && from > to) throw new AppError('invalid-input', 'range', '`from` lies after `to`.');
  return {
    ...(action ? { action } : {}),
    ...(actorId ? { actorId: parseUuid(actorId) ?? NOBODY } : {}),
    ...(subjectId ? { subjectId: parseUuid(subjectId) ?? NOBODY } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  };
};

/** @throws AppError `invalid-input` */
export const parseKeptHead = ({ seq, hash }: KeptHeadInput): KeptHead => {
  if (/^[1-9]\d{0,17}$/.test(seq) && /^[0-9a-f]{64}$/i.test(hash))
    return { seq: BigInt(seq), hash: hash.toLowerCase() };
  throw new AppError('invalid-input', 'head', 'A head has a whole number `seq` and a `hash` of 64 hex characters.');
};

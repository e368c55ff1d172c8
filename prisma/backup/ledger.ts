import { readFile } from 'node:fs/promises';
import pg from 'pg';

/** A promise that somebody, or a tenant, is erased. Ids alone: it outlives what it is about. */
export interface LedgerEntry {
  readonly kind: 'user' | 'tenant';
  readonly at: string;
  readonly tenantId: string;
  /** Of a person. */
  readonly userId?: string;
  readonly erasureId?: string;
  readonly requestedBy?: string;
  readonly sharedMemories?: 'keep' | 'transfer' | 'erase';
  readonly to?: string | null;
}

export const LEDGER_FILE = 'erasures.jsonl';

// The operators' log is chained and outlives tenants; what it says of erasures is the ledger.
// A tenant is in it once its grace is over, when nothing takes it back.
const ENTRIES = `select jsonb_strip_nulls(case l.action
    when 'user.erasure' then jsonb_build_object('kind', 'user', 'tenantId', l.details ->> 'tenant', 'userId', l.subject_id,
      'erasureId', l.details ->> 'erasure', 'requestedBy', l.details ->> 'by', 'sharedMemories', l.details ->> 'sharedMemories',
      'to', l.details ->> 'to')
    else jsonb_build_object('kind', 'tenant', 'tenantId', l.subject_id) end
  || jsonb_build_object('at', l.at)) as entry
  from operator_log l where l.action in ('user.erasure', 'tenant.purged')
    or l.action = 'tenant.deleted' and (l.details ->> 'eraseAfter')::timestamptz <= now() and not exists (
      select from operator_log o where o.subject_id = l.subject_id and o.seq > l.seq
        and o.action in ('tenant.resumed', 'tenant.suspended', 'tenant.deleted'))
  order by l.seq`;

/** What a database knows of erasures, the oldest first. */
export const readLedger = async (client: pg.Client): Promise<LedgerEntry[]> => {
  const { rows } = await client.query<{ entry: LedgerEntry }>(ENTRIES);
  return rows.map(({ entry }) => entry);
};

export const toLines = (entries: readonly LedgerEntry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUuid = (value: unknown): boolean => typeof value === 'string' && UUID.test(value);

const isEntry = (value: unknown): value is LedgerEntry => {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, tenantId, userId, erasureId, requestedBy, sharedMemories, to } = value as Partial<LedgerEntry>;
  if (!isUuid(tenantId)) return false;
  if (kind === 'tenant') return true;
  return (
    kind === 'user' &&
    [userId, erasureId, requestedBy].every(isUuid) &&
    ['keep', 'transfer', 'erase'].includes(sharedMemories ?? '') &&
    (to === undefined || to === null || isUuid(to))
  );
};

/** Reads a ledger file. @throws Error with the number of the line that is no entry: half a ledger would keep half the promises */
export const readLedgerFile = async (file: string): Promise<LedgerEntry[]> => {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const entry = parsed(line);
    if (!isEntry(entry)) throw new Error(`${file}: line ${index + 1} is no entry of a ledger of erasures.`);
    return entry;
  });
};

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
};

/** Entries of several ledgers, each promise once, people before their tenants. */
export const joined = (ledgers: readonly (readonly LedgerEntry[])[]): LedgerEntry[] => {
  const byPromise = new Map<string, LedgerEntry>();
  for (const entry of ledgers.flat()) byPromise.set(`${entry.kind} ${entry.tenantId} ${entry.userId ?? ''}`, entry);
  return [...byPromise.values()].sort((a, b) => (a.kind === b.kind ? 0 : a.kind === 'user' ? -1 : 1));
};

import { createHash } from 'node:crypto';
import { AppError } from '@tempera/client-kit';
import type { Verdict } from './chain.js';

/*
 * The audit's hash chain, worked out here and not believed: each row's SHA-256 is over the hash before it and a JSON array of
 * its fields, as Postgres writes it. The exported line holds those fields in the same writing, so they are taken from it as
 * they stand; parsing them to values and back would lose the order of keys and the form of numbers.
 */

const HASHED = [
  'tenant',
  'seq',
  'atMicros',
  'actorKind',
  'actor',
  'action',
  'subjectKind',
  'subject',
  'details',
] as const;
const START = '0'.repeat(64);

const broken = (): AppError => new AppError('invalid-input', 'audit-line', 'This is no line of an audit export.');

/** Where a JSON value ends: the next comma or brace outside of strings and nested values. */
const endOfValue = (line: string, from: number): number => {
  let depth = 0;
  let isString = false;
  for (let at = from; at < line.length; at += 1) {
    const character = line[at];
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (depth === 0 && (character === ',' || character === '}')) return at;
    else if (character === '}' || character === ']') depth -= 1;
  }
  throw broken();
};

/** The fields of one exported line, each in the very writing it has there. @throws AppError `invalid-input` */
export const rawFields = (line: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>();
  if (!line.startsWith('{')) throw broken();
  for (let at = 1; at < line.length;) {
    const key = /\s*"([^"\\]+)":\s*/y;
    key.lastIndex = at;
    const name = key.exec(line)?.[1];
    if (name === undefined || fields.has(name)) throw broken();
    const end = endOfValue(line, key.lastIndex);
    fields.set(name, line.slice(key.lastIndex, end).trimEnd());
    if (line[end] === '}') return fields;
    at = end + 1;
  }
  throw broken();
};

const text = (raw: string | undefined): string => (raw ?? '').replace(/^"(.*)"$/, '$1');

/** Where a chain stands. */
interface Position {
  readonly seq: bigint;
  readonly hash: string;
}

/** Checks lines as they come, in order. */
export class AuditChain {
  private end: Position = { seq: 0n, hash: START };
  private checked = 0;
  private bad: { seq: string; fault: string } | null = null;

  /** @param head kept elsewhere: the chain must go through it */
  constructor(private readonly head: Position | null = null) {}

  /** Takes the next line; after the first bad row nothing more is looked at. @throws AppError `invalid-input` */
  add(line: string): void {
    if (this.bad !== null) return;
    const fields = rawFields(line);
    const values = HASHED.map((name) => fields.get(name));
    const seq = text(fields.get('seq'));
    if (values.includes(undefined) || !/^\d+$/.test(seq)) throw broken();
    const previous = text(fields.get('previousHash'));
    const hash = createHash('sha256')
      .update(Buffer.from(previous, 'hex'))
      .update(`[${values.join(', ')}]`)
      .digest('hex');
    this.checked += 1;
    const fault =
      BigInt(seq) !== this.end.seq + 1n
        ? 'GAP'
        : previous !== this.end.hash
          ? 'LINK'
          : hash !== text(fields.get('hash'))
            ? 'CONTENT'
            : null;
    if (fault !== null) this.bad = { seq, fault };
    else this.end = { seq: BigInt(seq), hash };
    const { head } = this;
    const isReplaced = fault === null && head !== null && head.seq === this.end.seq && head.hash !== hash;
    if (isReplaced) this.bad = { seq, fault: 'HEAD' };
  }

  /** What was found in all lines so far. */
  verdict(): Verdict {
    const { head } = this;
    const isCut = this.bad === null && head !== null && head.seq > this.end.seq;
    const bad = isCut ? { seq: String(this.end.seq + 1n), fault: 'HEAD' } : this.bad;
    const isEmpty = this.end.seq === 0n;
    return {
      intact: bad === null,
      complete: true,
      checked: this.checked,
      firstBadSeq: bad?.seq ?? null,
      fault: bad?.fault ?? null,
      headSeq: isEmpty ? null : String(this.end.seq),
      headHash: isEmpty ? null : this.end.hash,
      endCursor: null,
    };
  }
}

/** `SEQ:HASH` as a verify prints it. @throws AppError `invalid-input` */
export const readHead = (head: string): Position => {
  const [, seq, hash] = /^(\d{1,18}):([0-9a-f]{64})$/i.exec(head.trim()) ?? [];
  if (seq !== undefined && hash !== undefined) return { seq: BigInt(seq), hash: hash.toLowerCase() };
  throw new AppError(
    'invalid-input',
    'head',
    '--head is a row and its hash, SEQ:HASH, as an earlier check printed it.',
  );
};

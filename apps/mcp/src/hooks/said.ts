import { redact, saidWords, withoutPrivate } from '@tempera/client-kit';
import { isOneLine } from './one-line.js';

/** What the service takes of a prompt or an answer. */
export const MAX_SAID_BYTES = 65_536;
/** Looked at beyond that, so that a secret which reaches over the end is still seen whole. */
const BEYOND = 40_000;

const LONE_SURROGATE = /\p{Cs}/gu;
const NUL = String.fromCharCode(0);

/** Cuts to a number of bytes in UTF-8, never inside a character. */
export const cutToBytes = (text: string, maxBytes: number): string => {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
};

/** What no database takes. */
export const storable = (text: string): string => text.replaceAll(NUL, '').replace(LONE_SURROGATE, '\u{FFFD}');

/** Private spans go first: what is cut after them may hold one tag of a span and leave the other. */
const cleaned = (text: string): string => redact(saidWords(withoutPrivate(storable(text)).text)).text;

/** Words of a turn as they may lie on the disk: only what was said, no secrets, no private spans, no longer than is taken. */
export const keepable = (text: string, maxBytes: number = MAX_SAID_BYTES): string =>
  cutToBytes(cleaned(text.slice(0, maxBytes + BEYOND)), maxBytes).trim();

/** The same for one short text, such as a command; nothing for what says nothing. */
export const keepableLine = (text: unknown, maxChars: number): string | undefined => {
  if (typeof text !== 'string') return undefined;
  const kept = cleaned(text.slice(0, maxChars + 8_000));
  const cut = [...kept.slice(0, 2 * maxChars)].slice(0, maxChars).join('').trim();
  return cut === '' ? undefined : cut;
};

/** What the service takes of the name of a branch, in characters. */
const MAX_BRANCH = 300;

/** The name of a branch, in which somebody may have pasted a secret. */
export const keepableBranch = (branch: string | null): string | null => {
  const kept = keepableLine(branch, MAX_BRANCH);
  return kept !== undefined && isOneLine(kept) ? kept : null;
};

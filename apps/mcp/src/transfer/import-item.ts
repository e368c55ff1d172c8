import { createHash } from 'node:crypto';
import { AppError } from '@tempera/client-kit';

/** A memory as `importMemories` takes it; what is absent has the service's default. */
export interface ImportedMemory {
  readonly text: string;
  readonly title?: string | null;
  readonly kind?: string;
  readonly scope?: string;
  readonly project?: string | null;
  readonly group?: string | null;
  readonly taskType?: string | null;
  readonly outcome?: string | null;
  readonly tags?: readonly string[];
  readonly filesModified?: readonly string[];
  readonly errorsResolved?: readonly { readonly error: string; readonly resolution?: string | null | undefined }[];
  readonly alternatives?: readonly {
    readonly approach: string;
    readonly whyNot: string;
    readonly revisitIf?: string | null | undefined;
  }[];
  readonly validity?: string;
  readonly verification?: string;
  readonly pinned?: boolean;
  readonly expiresAt?: string | null;
  readonly startedAt?: string | null;
  readonly occurredAt?: string | null;
  readonly sessionKey?: string | null;
  readonly merge?: 'AUTO' | 'NEVER';
}

/** One memory of another product, with what it is called there. */
export interface ImportItem {
  readonly sourceId: string;
  readonly memory: ImportedMemory;
  readonly state?: string;
  readonly stateReason?: string | null;
  readonly supersedes?: readonly string[];
  readonly supersededBy?: string | null;
}

/** What a parser made of an input. */
export interface ParsedImport {
  readonly items: readonly ImportItem[];
  /** What is not for this service, with the reason. */
  readonly skipped: readonly { readonly sourceId: string; readonly reason: string }[];
}

/** The input is not what it should be. @param line counted from 1 */
export const faultAt = (file: string, line: number | null, what: string): AppError => {
  const place = line === null ? file : `${file}:${line}`;
  return new AppError('invalid-input', 'import-malformed', `${place}: ${what} Nothing was imported.`);
};

/** What a memory of the service may hold, with room for its title. */
const MAX_TEXT_BYTES = 60_000;
const MAX_TITLE = 280;
const MAX_SOURCE_ID = 190;
const MAX_TAGS = 50;
const MAX_TAG = 100;

/** A title as the service takes it: one line, not too long. */
export const titleOf = (text: string | null | undefined): string | null => {
  const line = (text ?? '').replace(/\s+/g, ' ').trim();
  return line === '' ? null : [...line].slice(0, MAX_TITLE).join('');
};

/** Words of another product as tags. */
export const tagsOf = (words: readonly string[]): string[] =>
  [
    ...new Set(
      words
        .map((word) => [...word.replace(/\s+/g, ' ').trim().replace(/^#/, '')].slice(0, MAX_TAG).join(''))
        .filter((word) => word !== ''),
    ),
  ].slice(0, MAX_TAGS);

/** An id of another product, shortened where the service would refuse it; what was cut stays in a checksum of it. */
export const sourceIdOf = (id: string): string => {
  const line = id.replace(/\s+/g, ' ').trim();
  if (line.length <= MAX_SOURCE_ID) return line;
  return `${line.slice(0, MAX_SOURCE_ID - 33)}~${createHash('sha256').update(line).digest('hex').slice(0, 32)}`;
};

/** A moment of another product: ISO 8601, or seconds or milliseconds since 1970; null where it says none. */
export const momentOf = (value: string | number | null | undefined): string | null => {
  if (value === null || value === undefined || value === '') return null;
  // Milliseconds since 1970 passed the largest number of seconds that anybody writes in 1973.
  const ms = typeof value === 'number' ? (value < 1e11 ? value * 1000 : value) : Date.parse(value);
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : null;
};

/** Cuts what is too long for one memory into several, at the ends of lines where there are any. */
export const inPieces = (item: ImportItem): ImportItem[] => {
  const { text, title } = item.memory;
  if (Buffer.byteLength(text) <= MAX_TEXT_BYTES) return [item];
  const pieces: string[] = [];
  let piece = '';
  for (const line of text.split(/(?<=\n)/).flatMap(inChunks)) {
    if (piece !== '' && Buffer.byteLength(piece) + Buffer.byteLength(line) > MAX_TEXT_BYTES) {
      pieces.push(piece);
      piece = '';
    }
    piece += line;
  }
  const whole = [...pieces, piece].filter((one) => one.trim() !== '');
  return whole.map((one, index) => ({
    ...item,
    sourceId: `${item.sourceId}#${index + 1}`,
    memory: {
      ...item.memory,
      text: one,
      title: titleOf(`${title ?? item.sourceId} (${index + 1} of ${whole.length})`),
    },
  }));
};

/** Characters of at most four bytes each. */
const CHUNK = MAX_TEXT_BYTES / 4;

const inChunks = (line: string): string[] => {
  if (Buffer.byteLength(line) <= MAX_TEXT_BYTES) return [line];
  const characters = [...line];
  return Array.from({ length: Math.ceil(characters.length / CHUNK) }, (_, index) =>
    characters.slice(index * CHUNK, (index + 1) * CHUNK).join(''),
  );
};

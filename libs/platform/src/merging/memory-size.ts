import type { MemoryContent } from '../database/repositories/memory-record.js';

/** The text of a memory, in UTF-8. */
export const MAX_TEXT_BYTES = 65_536;
export const MAX_TAGS = 50;
/** Fifty tags of a hundred characters. */
export const MAX_TAGS_BYTES = 20_000;
/** Everything that hangs on a memory beside its text: tags, files, errors and alternatives together. */
export const MAX_NOTES_BYTES = 65_536;

/** What hangs on a memory beside its text. */
export type MemoryNotes = Pick<MemoryContent, 'tags' | 'filesModified' | 'errorsResolved' | 'alternatives'>;

const bytesOf = (item: object | string): number =>
  typeof item === 'string'
    ? Buffer.byteLength(item)
    : Object.values(item).reduce((sum: number, part: unknown) => sum + Buffer.byteLength(String(part ?? '')), 0);

/** Bytes of a list of notes, without the marks between them. */
export const listBytes = (items: readonly (object | string)[]): number =>
  items.reduce<number>((sum, item) => sum + bytesOf(item), 0);

/** Bytes of all notes, without the marks between them. */
export const notesBytes = ({ tags, filesModified, errorsResolved, alternatives }: MemoryNotes): number =>
  [tags, filesModified, errorsResolved, alternatives].reduce((sum, items) => sum + listBytes(items), 0);

/** The first of the items that fit into so many bytes. */
export const thatFit = <T extends object | string>(items: readonly T[], maxBytes: number): T[] => {
  let left = maxBytes;
  return items.filter((item) => (left -= bytesOf(item)) >= 0);
};

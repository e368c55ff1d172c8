import { createReadStream } from 'node:fs';

/** A longer line holds files and pictures, not words; it is passed over, so that no file fills the memory. */
const LONGEST_LINE = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** What was read of a file. */
export interface ReadLines {
  /** Up to the end of the last whole line: what follows is still being written. */
  readonly bytes: number;
  readonly tooLong: number;
}

/** Reads whole lines of a file, split as bytes: a chunk may end within a character. A last line without an end is left. */
export const readWholeLines = async (path: string, onLine: (line: string) => Promise<void>): Promise<ReadLines> => {
  let pieces: Buffer[] = [];
  let length = 0;
  let bytes = 0;
  let tooLong = 0;
  const keep = (piece: Buffer): void => {
    length += piece.length;
    if (length <= LONGEST_LINE) pieces.push(piece);
    else pieces = [];
  };
  for await (const given of createReadStream(path)) {
    const chunk = Buffer.isBuffer(given) ? given : Buffer.from(String(given));
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, end));
      bytes += length + 1;
      if (length > LONGEST_LINE) tooLong += 1;
      else await onLine(Buffer.concat(pieces).toString('utf8'));
      [pieces, length, from] = [[], 0, end + 1];
    }
    keep(chunk.subarray(from));
  }
  return { bytes, tooLong };
};

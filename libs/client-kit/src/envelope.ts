import { AppError } from './app-error.js';
import { neutralise, neutraliseLine } from './untrusted-text.js';

/** What stands in the opening line of an envelope, so that the reader can weigh what is inside. */
export interface EnvelopeLabel {
  /** Eight hex characters of the memory's id. */
  readonly id: string;
  readonly project?: string;
  readonly author?: string;
  readonly age?: string;
  readonly trust?: string;
}

/** Wraps stored text of one answer; every answer has a boundary of its own that no stored text can know. */
export interface Envelope {
  readonly boundary: string;
  wrap(label: EnvelopeLabel, text: string): string;
}

const TAG = 'untrusted-memory';
const LINE_MARK = '| ';
const OPENING_LINE = new RegExp(`<${TAG}-([0-9a-f]{16})[ >]`);

const attribute = (name: string, value: string): string =>
  `${name}="${neutraliseLine(value, 60).replaceAll('>', '›')}"`;

/**
 * Makes the envelope of one answer.
 *
 * Inside it every line carries a mark, so that stored text can forge neither a closing line nor the heading of another
 * hit even if it guessed the boundary.
 *
 * @param randomHex 16 hex characters from a cryptographic source, fresh at each call
 * @param contents all stored text of the answer; a boundary that occurs in it is not used
 * @throws AppError `internal` when the source of randomness does not deliver
 */
export const makeEnvelope = (randomHex: () => string, contents: readonly string[]): Envelope => {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const boundary = randomHex();
    if (!/^[0-9a-f]{16}$/.test(boundary) || contents.some((content) => content.includes(boundary))) continue;
    return {
      boundary,
      wrap: (label, text) => {
        const attributes = Object.entries(label).map(([name, value]: [string, string]) => attribute(name, value));
        const lines = neutralise(text).split('\n');
        return [
          `<${TAG}-${boundary} ${attributes.join(' ')}>`,
          ...lines.map((line) => `${LINE_MARK}${line}`),
          `</${TAG}-${boundary}>`,
        ].join('\n');
      },
    };
  }
  throw new AppError('internal', 'no-boundary', 'No boundary could be made for this answer.');
};

/**
 * Removes what an earlier answer of ours brought into a text, so that recalled memories are not captured again as new
 * ones (docs/design.md M3). Works line by line: an envelope that was cut off ends where its line marks end.
 *
 * @returns the rest, and how many envelopes were left out
 */
export const withoutRecalled = (text: string): { text: string; removed: number } => {
  const kept: string[] = [];
  let closing: string | null = null;
  let removed = 0;
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (closing !== null) {
      const ended = trimmed === closing;
      if (ended) closing = null;
      if (ended || trimmed.startsWith(LINE_MARK.trim())) continue;
    }
    const boundary: string | undefined = OPENING_LINE.exec(trimmed)?.[1];
    closing = boundary === undefined ? null : `</${TAG}-${boundary}>`;
    if (closing === null) kept.push(line);
    else removed += 1;
  }
  return { text: removed === 0 ? text : kept.join('\n').trim(), removed };
};

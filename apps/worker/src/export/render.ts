import type { ExportedMemory, ExportedRow } from '@tempera/platform';

/** Characters of one part: at most 768 KiB in UTF-8. */
const PART_LENGTH = 256 * 1024;

/** Rows as JSON Lines, without the cursor that only pages need. */
export const toLines = (rows: readonly ExportedRow[]): string =>
  rows.map(({ cursor: _, ...row }) => `${JSON.stringify(row)}\n`).join('');

const day = (date: Date): string => date.toISOString().slice(0, 10);

/** A memory for people to read: what it says, under its title, with a line of what it is. */
const toBlock = (memory: ExportedMemory): string => {
  const facts = [
    memory.kind,
    memory.project === null ? memory.scope : `${memory.scope} ${memory.group ?? memory.project}`,
    memory.author ?? memory.owner,
    day(memory.endedAt),
    ...(memory.outcome === null ? [] : [memory.outcome]),
    ...(memory.state === 'active' ? [] : [memory.state]),
    ...memory.tags.map((tag) => `#${tag}`),
  ];
  const errors = memory.errorsResolved.map(
    ({ error, resolution }) => `- Error: ${error}${resolution === null ? '' : `\n  Resolved: ${resolution}`}`,
  );
  const rejected = memory.alternatives.map(({ approach, whyNot }) => `- Not: ${approach}\n  Because: ${whyNot}`);
  const notes = [...errors, ...rejected].join('\n');
  return `## ${memory.title}\n\n${facts.join(' · ')} · \`${memory.id}\`\n\n${memory.text}\n\n${notes === '' ? '' : `${notes}\n\n`}`;
};

export const toMarkdown = (memories: readonly ExportedMemory[]): string => memories.map(toBlock).join('');

/** Cuts a text into parts, never between the halves of one character. */
export const toParts = (text: string): string[] => {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + PART_LENGTH);
    const isSplit = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    if (isSplit) end -= 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
};

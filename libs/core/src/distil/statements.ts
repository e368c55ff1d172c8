/** The sentences of a text in which people speak: without code, tables, drawings, logs and what tools put there. */

/** One thing said, and the stretch of the text that says it. */
export interface Statement {
  /** Without marks of Markdown. */
  readonly text: string;
  /** Word for word as it stands in the turn. */
  readonly quote: string;
  /** The nearest heading above it, in lower case. */
  readonly heading: string;
  /** Whether it is one item of a list. */
  readonly isItem: boolean;
}

/** Longer lines are no sentences of a person; patterns never see them whole. */
const LONGEST_LINE = 2_000;
/** A text this long has been pasted; what people say stands at its beginning. */
const LONGEST_TEXT = 24_576;

const FENCE = /^\s{0,8}(?:```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+(.{1,200})$/;
const BOLD_HEADING = /^\s{0,3}\*\*([^*\n]{1,120}?):?\*\*:?\s*$/;
const ITEM = /^(\s{0,12}(?:[-*+•]|\d{1,2}[.)、）]|[（(]?\d{1,2}[)）])\s*)(?=\S)/;
const NO_PROSE = [
  /[─-╿▀-▟]/u, // drawings
  /^\s*\|.*\|?\s*$/u, // tables
  /^\s*[❯➜»>$%#]\s?\S/u, // prompts of a shell, quoted lines
  /^\s*(?:=>|\[\+\]|at\s+\S+\s*\(|File ".*", line \d|\d{4}-\d{2}-\d{2}[T ]\d{2}:|\[\d{2}:\d{2})/u,
  /^\s*(?:npm|yarn|pnpm|error|warn|info|debug|notice|fatal|warning|ERR|WARN|INFO|DEBUG)(?: |:|!|\[)(?![a-z]+ (?:is|was|when|in) )/u,
  /\b(?:PASSED|FAILED|SKIPPED)\b\s*(?:\[|$)/u,
  /^\s*[{}[\]()<>;]/u,
  /[{};]\s*$/u,
  /^\s*(?:import|export|const|let|var|def|class|function|return|if|for|SELECT|INSERT|UPDATE|curl|git|npm|npx|cd|sudo|docker)\b.*[;={(\\]|^\s*(?:export|curl|git|npm|npx|cd|sudo|docker) \S+$/u,
  /https?:\/\/\S{120,}/u,
  /\blorem ipsum\b/iu,
];
/** What stands in tags was put there by a client, not said by a person. */
const TAGGED =
  /<(system-reminder|local-command-[a-z]+|command-[a-z]+|bash-[a-z]+|tempera[a-z-]*|user-prompt-submit-hook|task-notification|tool_[a-z_]+)\b[^>]{0,200}>[\s\S]{0,65536}?(?:<\/\1>|$)/g;

const blanked = (text: string): string => text.replace(TAGGED, (whole) => whole.replace(/[^\n]/g, ' '));

/** What is said in a text, in order. */
export const statementsOf = (given: string): Statement[] => {
  const whole = given.slice(0, LONGEST_TEXT);
  const all: Statement[] = [];
  let isFenced = false;
  let heading = '';
  let opener: Statement | null = null;
  for (const line of blanked(whole).split('\n')) {
    if (FENCE.test(line)) {
      isFenced = !isFenced;
      opener = null;
      continue;
    }
    if (isFenced || line.length > LONGEST_LINE) continue;
    const title = HEADING.exec(line)?.[1] ?? BOLD_HEADING.exec(line)?.[1];
    if (title !== undefined) {
      heading = bare(title).toLowerCase();
      opener = null;
      continue;
    }
    if (line.trim() === '') continue;
    const mark = ITEM.exec(line)?.[1];
    if (mark !== undefined && opener !== null) {
      const longer = joined(opener, line, mark);
      if (longer !== null) all.splice(-1, 1, longer);
      opener = longer;
      if (longer !== null) continue;
    }
    if (NO_PROSE.some((pattern) => pattern.test(line))) {
      opener = null;
      continue;
    }
    const said = sentencesOf(line.slice(mark?.length ?? 0), heading, mark !== undefined);
    all.push(...said);
    const last = said.at(-1);
    opener = last !== undefined && LABEL.test(last.text) ? last : null;
  }
  return all;
};

/** "Solution:" and the list below it are one statement, as long as it stays one that can be read. */
const MOST_JOINED = 400;
const joined = (opener: Statement, line: string, mark: string): Statement | null => {
  const item = bare(line.slice(mark.length)).replace(/[;；,，.。]+$/u, '');
  const text = /[:：]$/.test(opener.text) ? `${opener.text} ${item}` : `${opener.text}; ${item}`;
  return text.length > MOST_JOINED ? null : { ...opener, text, quote: `${opener.quote}\n${line.trimEnd()}` };
};

/** A few words; a whole sentence with a colon only leads over to what follows. */
const LABEL = /^(?:[\p{L}/&'-]{1,24} ?){1,5}[:：]$/u;

const END = /(?<=[.!?])(?:["”')\]]{0,2})\s+(?=[\p{Lu}\p{L}\p{N}"“'`(*[])|(?<=[。！？])["”’」』）)]{0,2}/gu;
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|mr|ms|dr)|\b\p{Lu}|^\s*\d{1,2})\.$/iu;

const sentencesOf = (line: string, heading: string, isItem: boolean): Statement[] => {
  const pieces: string[] = [];
  let from = 0;
  for (const match of line.matchAll(END)) {
    const end = match.index + match[0].length;
    const piece = line.slice(from, end);
    if (ABBREVIATION.test(piece.trimEnd())) continue;
    pieces.push(piece);
    from = end;
  }
  pieces.push(line.slice(from));
  return pieces
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((quote) => ({ text: bare(quote), quote, heading, isItem }));
};

/** Without emphasis, boxes to tick, pictures and the spaces around. */
export const bare = (text: string): string =>
  text
    .replace(/\*\*|__(?=\S)|(?<=\S)__/g, '')
    .replace(/^\s*\[[ xX]\]\s*/, '')
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]{1,200})(?<=\S)\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/[\p{Extended_Pictographic}\u{FE0F}\u{200D}]/gu, (sign) => (/[\d#*©®™]/u.test(sign) ? sign : ''))
    .replace(/\s+/g, ' ')
    .trim();

/*
 * Text that comes out of a memory was written by anyone, at any time, perhaps to steer the agent that reads it now
 * (docs/design.md M1). What can be disarmed without losing meaning is disarmed here; what is left is marked as data by the
 * envelope (envelope.ts).
 */

const code = (...units: readonly number[]): string => String.fromCharCode(...units);
const ESCAPE = code(0x1b);
const STRING_OPENERS = code(0x90, 0x98, 0x9d, 0x9e, 0x9f);
const STRING_ENDS = code(0x07, 0x9c);

// Built from character codes: a literal control character in a pattern is what the linter rightly refuses. Each part
// scans forward once, so hostile input costs linear time.
const TERMINAL_SEQUENCES = [
  new RegExp(
    `(?:${ESCAPE}[\\]PX^_]|[${STRING_OPENERS}])[^${ESCAPE}${STRING_ENDS}]*(?:[${STRING_ENDS}]|${ESCAPE}\\\\)`,
    'g',
  ),
  new RegExp(`(?:${ESCAPE}\\[|${code(0x9b)})[0-?]*[ -/]*[@-~]`, 'g'),
  new RegExp(`${ESCAPE}[ -/]*[0-~]`, 'g'),
];

/** Everything a person cannot see: zero-width, bidi, tags, variation selectors, soft hyphens, fillers. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}]/gu;
const LINE_BREAK = /\r\n?|[\u{85}\u{2028}\u{2029}]/gu;
const CONTROL = /(?![\n\t])\p{Cc}/gu;
const LONE_SURROGATE = /\p{Cs}/gu;

/** `<` and what is drawn like it. */
const TAG_OPENER = /[<＜﹤‹〈《«⟨❮]/gu;
const BETWEEN_OPENER_AND_NAME = /[\s/\\!?|／＼！？｜⁄∕]*/uy;
const RESERVED_PREFIX =
  /^(?:\|?im_|sys|memor|untrusted|tempera|tool|function|invoke|antml|assistant|human|developer|instruction|command-|local-command|javascript:|vbscript:|data:)/;
const RESERVED_NAME =
  /^(?:user|admin|result|results|output|parameter|parameters|thinking|prompt|context|important|document|documents|private|task-notification|a|area|audio|base|body|button|embed|form|frame|head|html|iframe|image|img|input|link|math|meta|object|picture|portal|script|source|style|svg|template|track|video)(?![a-z0-9_-])/;

const opensReservedTag = (text: string, openerEnd: number): boolean => {
  BETWEEN_OPENER_AND_NAME.lastIndex = openerEnd;
  const between = BETWEEN_OPENER_AND_NAME.exec(text)?.[0] ?? '';
  if (/[|｜]/.test(between)) return true;
  const nameStart = openerEnd + between.length;
  const name = text
    .slice(nameStart, nameStart + 24)
    .normalize('NFKC')
    .toLowerCase();
  return RESERVED_PREFIX.test(name) || RESERVED_NAME.test(name);
};

const withoutReservedTags = (text: string): string =>
  text
    .replace(TAG_OPENER, (opener: string, at: number) => (opensReservedTag(text, at + opener.length) ? '&lt;' : opener))
    .replace(/\[(\s*\/?\s*INST\s*)\]/gi, '($1)');

/** No link or image stays live in Markdown, HTML or an auto-linking terminal; each stays readable. */
const withoutLiveLinks = (text: string): string =>
  text
    .replace(/!(?=\[)/g, '! ')
    .replace(/\](?=\()/g, '] ')
    .replace(/^([ \t]{0,8}\[[^\]\n]{1,200}\]):/gm, '$1 :')
    .replace(/(?<=[a-z0-9+.-]):(?=\/\/)/gi, '[:]')
    .replace(/\bwww\.(?=\S)/gi, (prefix) => `${prefix.slice(0, -1)}[.]`);

/** What a reader sees of a text: without terminal sequences, control and invisible characters. */
export const withoutHiddenCharacters = (text: string): string => {
  let visible = text;
  for (const sequence of TERMINAL_SEQUENCES) visible = visible.replace(sequence, '');
  return visible
    .replace(LINE_BREAK, '\n')
    .replace(CONTROL, '')
    .replace(INVISIBLE, '')
    .replace(LONE_SURROGATE, '\u{FFFD}');
};

/**
 * Disarms stored text for showing it to an agent or a person: control, bidi and invisible characters are removed (line
 * feed and tab stay), the `<` of reserved tags becomes `&lt;`, links and images are broken on purpose (`https[:]//`).
 * Applying it twice changes nothing more. Ordinary prose and code stay as they are.
 */
export const neutralise = (text: string): string =>
  withoutLiveLinks(withoutReservedTags(withoutHiddenCharacters(text)));

/** Cuts at a code point, never inside one, and says so with an ellipsis. `maxChars` counts code points. */
export const cutText = (text: string, maxChars: number): string => {
  if (text.length <= maxChars) return text;
  const points = [...text];
  return points.length <= maxChars
    ? text
    : `${points
        .slice(0, Math.max(0, maxChars - 1))
        .join('')
        .trimEnd()}…`;
};

/** One line of ours that may quote what a caller typed: no hidden characters, no reserved tags; addresses stay whole. */
export const plainLine = (text: string, maxChars: number): string =>
  cutText(withoutReservedTags(withoutHiddenCharacters(text)).replace(/\s+/g, ' ').trim(), maxChars);

/** {@link neutralise} for one line of a heading or an attribute: white space collapsed, double quotes made single. */
export const neutraliseLine = (text: string, maxChars: number): string =>
  cutText(
    neutralise(text.slice(0, 4 * maxChars + 64))
      .replace(/\s+/g, ' ')
      .replaceAll('"', "'")
      .trim(),
    maxChars,
  );

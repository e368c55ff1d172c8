/** Names, paths and commands of a text. Whatever one text names, the other has to mention too. */
import { SequenceIndex } from './sequence-index.js';
import { isStopWord, stem, trimEdges, wordsOf } from './words.js';

export type MentionKind = 'name' | 'path' | 'command';

export interface Mention {
  readonly kind: MentionKind;
  readonly text: string;
}

// The language of a block ends its line; without that the two runs could share letters in many ways.
const CODE_SPAN = /```(?:[\w-]*\n)?([^`]+)```|`([^`\n]+)`/g;
const QUOTED = /"([^"\n]{1,80})"|「([^」]{1,80})」|《([^》]{1,80})》/g;
/** Runs of what paths, flags, variables and identifiers are made of; Han letters end them. */
const CHUNK = /[\w~.@\\/:*+=#%$&|<>-]+/g;
const CAPITALISED = /\p{Lu}[\p{Ll}\p{M}]+(?!\p{Lu})/gu;
/** After these a capital letter is a matter of grammar. */
const SENTENCE_START = /(?:^|[.!?:;。！？；\n"'([>*#-])\s*$/;
const EXTENSION =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|py|rs|go|java|kt|rb|php|cc?|hh?|[ch]pp|cs|sh|sql|s?css|html?|xml|txt|env|lock|cfg|ini|conf|proto|graphql|prisma|csv|log|tf|vue|svelte|swift|gradle)$/i;
const PROGRAMS: ReadonlySet<string> = new Set([
  ...['npm', 'npx', 'pnpm', 'yarn', 'bun', 'cargo', 'pip', 'poetry', 'gradle', 'mvn', 'dotnet', 'apt', 'brew'],
  ...['git', 'docker', 'kubectl', 'helm', 'terraform', 'psql', 'curl', 'ssh', 'systemctl', 'sudo', 'tempera'],
]);
const HAN = /\p{Script=Han}/u;

/** Everything a normalised text names; each once, in order of first mention. */
export const mentionsOf = (text: string): Mention[] => {
  const prose = text.replace(CODE_SPAN, (_, block?: string, span?: string) => ` ${block ?? span ?? ''} `);
  const found = [
    ...codeSpans(text),
    ...quotations(prose),
    ...chunksOf(prose),
    ...bareCommands(prose),
    ...properNames(prose),
  ];
  return [...new Map(found.map((mention) => [`${mention.kind} ${mention.text}`, mention])).values()];
};

const codeSpans = (text: string): Mention[] =>
  [...text.matchAll(CODE_SPAN)]
    .map(([, block, span]) => collapse(block ?? span ?? ''))
    .filter((code) => code.includes(' '))
    .map((code) => ({ kind: 'command', text: code }));

const quotations = (text: string): Mention[] =>
  [...text.matchAll(QUOTED)].map((match) => ({ kind: 'name', text: collapse(match.slice(1).find(Boolean) ?? '') }));

const chunksOf = (text: string): Mention[] => {
  const inHan = HAN.test(text);
  return (text.match(CHUNK) ?? []).flatMap((raw): Mention[] => {
    const chunk = trimmed(raw);
    if (/^[v~^<>=+-]*\d/i.test(chunk) || !/[a-z]/i.test(chunk)) return [];
    if (/^--?[a-z]/i.test(chunk)) return [{ kind: 'command', text: chunk }];
    if (/[\\/]/.test(chunk) || EXTENSION.test(chunk) || /^\.[a-z]/i.test(chunk)) return [{ kind: 'path', text: chunk }];
    // In a Chinese text a Latin word is a name.
    const isName = isIdentifier(chunk) || (inHan && chunk.length > 1 && !isStopWord(chunk.toLowerCase()));
    return isName ? [{ kind: 'name', text: chunk }] : [];
  });
};

const isIdentifier = (chunk: string): boolean =>
  /[a-z\d][A-Z]|[A-Z]{2}|[a-z]\d|_|[@#$]|[a-z]\.[a-z]/.test(chunk) && chunk.length > 1;

/** A program and its first argument; without quoting, nobody can say where a command ends. */
const bareCommands = (text: string): Mention[] => {
  const chunks = [...text.matchAll(CHUNK)];
  return chunks.flatMap(({ 0: program, index }, at): Mention[] => {
    const next = chunks[at + 1];
    if (!PROGRAMS.has(program) || next?.index !== index + program.length + 1) return [];
    const argument = trimmed(next[0]);
    return /^[a-z-]/.test(argument) && !isStopWord(argument)
      ? [{ kind: 'command', text: `${program} ${argument}` }]
      : [];
  });
};

const properNames = (text: string): Mention[] =>
  [...text.matchAll(CAPITALISED)]
    .filter(({ index, 0: name }) => {
      const before = text.slice(Math.max(0, index - 4), index);
      const inWord = /[\p{Script=Latin}\p{N}_]$/u.test(before);
      return !inWord && !(index < 1 || SENTENCE_START.test(before)) && !isStopWord(name.toLowerCase());
    })
    .map(([name]) => ({ kind: 'name', text: name }));

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Without the marks that end a clause. */
const trimmed = (chunk: string): string => trimEdges(chunk, '', '.:=*-');

const codeOf = (text: string): string[] => (text.match(CHUNK) ?? []).map(trimmed).filter((chunk) => chunk !== '');

/** What a text mentions, to be asked about the mentions of another. */
export class MentionIndex {
  private readonly stems: ReadonlySet<string>;
  private readonly code: SequenceIndex;

  constructor(text: string) {
    this.stems = new Set(wordsOf(text).map(stem));
    this.code = new SequenceIndex(codeOf(text));
  }

  /** Whether the text mentions it: a name by its words in any form, a path or command to the letter. */
  has({ kind, text }: Mention): boolean {
    const code = kind === 'name' ? [] : codeOf(text);
    // A command may be without a Latin letter.
    return code.length > 0 ? this.code.has(code) : wordsOf(text).every((word) => this.stems.has(stem(word)));
  }
}

/*
 * Writes texts that an expression matches, from the expression alone: by another reading of it than the engine's, so that what
 * the engine makes of a rule is measured against the rule. It knows what rules of secrets use: classes, groups, alternatives,
 * counts and flags; of places such as `^` and `$` it writes nothing.
 */

/** What a group of the expression captured stands between these, and where a word must begin or end there is this. */
const OPENS = '\uE000';
const CLOSES = '\uE001';
const WORD_ENDS = '\uE002';

/** Gives a number from 0 up to and without 1. */
export type Random = () => number;

type Node = (random: Random) => string;

const range = (from: string, to: string): string[] =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, at) =>
    String.fromCharCode(from.charCodeAt(0) + at),
  );

const DIGITS = range('0', '9');
const WORDS = [...range('a', 'z'), ...range('A', 'Z'), ...DIGITS, '_'];
const PRINTED = range('!', '~');
const NAMED: Readonly<Record<string, readonly string[]>> = { d: DIGITS, w: WORDS, s: [' '], S: PRINTED, D: WORDS };
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

const pick = <T>(random: Random, from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];

class Reader {
  private at = 0;

  constructor(private readonly source: string) {}

  whole(): Node {
    const node = this.alternatives();
    if (this.at < this.source.length) throw new Error(`not read: ${this.source.slice(this.at)}`);
    return node;
  }

  private takes(text: string): boolean {
    const there = this.source.startsWith(text, this.at);
    if (there) this.at += text.length;
    return there;
  }

  private character(): string {
    const character = this.source.charAt(this.at);
    this.at += 1;
    return character;
  }

  private alternatives(): Node {
    const branches = [this.sequence()];
    while (this.takes('|')) branches.push(this.sequence());
    return (random) => pick(random, branches)?.(random) ?? '';
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source.charAt(this.at))) parts.push(this.counted());
    return (random) => parts.map((part) => part(random)).join('');
  }

  private counted(): Node {
    const dot = this.source.charAt(this.at) === '.';
    const one = this.atom();
    const [least, most] = this.counts();
    // Nearly every point that stands alone in these expressions is a point of an address whose author did not escape it.
    const node = dot && most > 1 ? this.oneOf(WORDS) : one;
    this.takes('?');
    return (random) => {
      // Short of the bound where there is none, and what may be left out at the front or between is left out often.
      const count = least + Math.floor(random() * (Math.min(most, least + 12) - least + 1));
      return Array.from({ length: count }, () => node(random)).join('');
    };
  }

  private counts(): readonly [number, number] {
    if (this.takes('*')) return [0, 12];
    if (this.takes('+')) return [1, 24];
    if (this.takes('?')) return [0, 1];
    const [text = '', least = '', comma, most = ''] = /^\{(\d+)(,?)(\d*)\}/.exec(this.source.slice(this.at)) ?? [];
    if (text === '') return [1, 1];
    this.at += text.length;
    if (comma === '') return [Number(least), Number(least)];
    return [Number(least), most === '' ? Number(least) + 12 : Number(most)];
  }

  private atom(): Node {
    const character = this.character();
    if (character === '(') return this.group();
    if (character === '[') return this.oneOf(this.members());
    if (character === '\\') return this.escaped();
    if (character === '^' || character === '$') return () => '';
    return () => character;
  }

  private group(): Node {
    const [flags = ''] = /^\?(?:P<\w+>|[ims-]*:)/.exec(this.source.slice(this.at)) ?? [];
    this.at += flags.length;
    const [alone = ''] = flags === '' ? (/^\?[ims-]+\)/.exec(this.source.slice(this.at)) ?? []) : [];
    this.at += alone.length;
    if (alone !== '') return () => '';
    const inner = this.alternatives();
    if (!this.takes(')')) throw new Error(`a group does not end: ${this.source}`);
    return flags === '' ? (random) => OPENS + inner(random) + CLOSES : inner;
  }

  private escaped(): Node {
    const character = this.character();
    if (character === 'b') return () => WORD_ENDS;
    if ('BAz'.includes(character)) return () => '';
    const named = NAMED[character];
    return named === undefined ? this.code(character) : this.oneOf(named);
  }

  private code(character: string): Node {
    const written = this.plain(character);
    return () => written;
  }

  private plain(character: string): string {
    if (character !== 'x') return ESCAPED[character] ?? character;
    const code = this.source.slice(this.at, this.at + 2);
    this.at += 2;
    return String.fromCharCode(parseInt(code, 16));
  }

  private members(): readonly string[] {
    const without = this.takes('^');
    const members: string[] = [];
    for (let first = true; first || this.source.charAt(this.at) !== ']'; first = false) members.push(...this.member());
    this.at += 1;
    return without ? PRINTED.filter((one) => !members.includes(one)) : members;
  }

  private member(): readonly string[] {
    if (this.takes('[:alnum:]')) return WORDS.filter((one) => one !== '_');
    const character = this.character();
    const named = character === '\\' ? NAMED[this.source.charAt(this.at)] : undefined;
    if (named !== undefined) {
      this.at += 1;
      return named;
    }
    const from = character === '\\' ? this.plain(this.character()) : character;
    if (this.source.charAt(this.at) !== '-' || this.source.charAt(this.at + 1) === ']') return [from];
    this.at += 1;
    const to = this.character();
    return range(from, to === '\\' ? this.plain(this.character()) : to);
  }

  private oneOf(members: readonly string[]): Node {
    return (random) => pick(random, members) ?? '';
  }
}

/** What an expression matches, and what its first group that captured something did. */
export interface Written {
  readonly text: string;
  readonly captured: string | undefined;
}

const withoutMarks = (text: string): string => text.replace(/[\uE000-\uE002]/g, '');

/** Reads an expression; each call of what it gives writes another text that the expression matches. */
export const samplerOf = (regex: string): ((random: Random) => Written) => {
  const write = new Reader(regex).whole();
  return (random) => {
    const marked = write(random).replace(/(?<=\w)\uE002(?=[\uE000\uE001]*\w)/g, ' ');
    const groups = [...marked.matchAll(/\uE000/g)].map(({ index }) => capturedFrom(marked, index));
    return { text: withoutMarks(marked), captured: groups.map(withoutMarks).find((group) => group !== '') };
  };
};

const capturedFrom = (marked: string, from: number): string => {
  let depth = 0;
  for (let at = from; at < marked.length; at += 1) {
    if (marked.charAt(at) === OPENS) depth += 1;
    if (marked.charAt(at) === CLOSES) depth -= 1;
    if (depth === 0) return marked.slice(from, at);
  }
  return '';
};

/** Roles exchanged without another word: "Alice approves what Bob writes" and "Bob approves what Alice writes". */
import { isStopWord, stem, wordsOf } from './words.js';

const BE = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being', 'get', 'gets', 'got']);
/** Words between "is" and "by": "is now always reviewed by". */
const PASSIVE_REACH = 4;
/** What follows "by" without doing anything. */
const NO_AGENTS = new Set(['default', 'hand', 'design', 'name', 'id', 'itself', 'accident', 'mistake']);

interface Passive {
  readonly verb: string;
  readonly agent: readonly string[];
}

interface Statement {
  /** Words that say something, as written and stemmed. */
  readonly words: readonly string[];
  readonly stems: readonly string[];
  readonly passives: readonly Passive[];
}

/** Words whose roles are exchanged between the texts; empty where none are. */
export const exchangesBetween = (a: string, b: string): string[] => {
  const turned = agentsBetween(a, b);
  if (turned.length > 0) return turned;
  const [one, other] = [statementOf(a), statementOf(b)];
  // "A keeps B" and "B is kept by A" say the same; without the agent the rest may stand the other way round.
  const agents = new Set(
    one.passives.length > 0 === other.passives.length > 0
      ? []
      : [...one.passives, ...other.passives].flatMap(({ agent }) => agent),
  );
  return reversedTriple(one, other, agents);
};

/** Who does it in one text, and has it done to him in the other. */
export const agentsBetween = (a: string, b: string): string[] => {
  const [one, other] = [statementOf(a), statementOf(b)];
  return [...wrongAgents(one, other), ...wrongAgents(other, one)];
};

const statementOf = (text: string): Statement => {
  const all = wordsOf(text);
  const words = all.filter((word) => !isStopWord(word));
  return { words, stems: words.map(stem), passives: passivesOf(all) };
};

const passivesOf = (words: readonly string[]): Passive[] =>
  words.flatMap((word, index) => {
    if (word !== 'by') return [];
    const before = words.slice(Math.max(0, index - PASSIVE_REACH), index);
    const verb = before.slice(before.findLastIndex((one) => BE.has(one)) + 1).findLast((one) => !isStopWord(one));
    const agent = agentAt(words, index + 1);
    const isPassive = before.some((one) => BE.has(one)) && verb !== undefined && agent.length > 0;
    return isPassive ? [{ verb: stem(verb), agent }] : [];
  });

/** The words after "by", up to the next that is only grammar. */
const agentAt = (words: readonly string[], from: number): string[] => {
  let start = from;
  while (start < from + 2 && isStopWord(words[start] ?? '')) start += 1;
  const agent: string[] = [];
  for (let at = start; at < start + PASSIVE_REACH; at += 1) {
    const word = words[at];
    if (word === undefined || isStopWord(word) || NO_AGENTS.has(word)) break;
    agent.push(stem(word));
  }
  return agent;
};

/** Who does it in one text, and has it done to him in the other, which tells it in the active voice. */
const wrongAgents = (passive: Statement, active: Statement): string[] => {
  if (active.passives.length > 0) return [];
  return passive.passives.flatMap(({ verb, agent: [first = ''] }) => {
    const does = active.stems.indexOf(verb);
    const agent = active.stems.indexOf(first);
    return does >= 0 && agent > does ? [first, verb] : [];
  });
};

/**
 * Three words of which the outer two changed places around the middle one. A phrase that moved ("in this repo we …") leaves
 * only pairs behind.
 */
const reversedTriple = (one: Statement, other: Statement, except: ReadonlySet<string>): string[] => {
  const places = placesIn(one, other, except);
  const highestBefore: number[] = [];
  places.forEach(({ place }, at) => {
    const last = highestBefore[at - 1];
    highestBefore.push(last === undefined || place > (places[last]?.place ?? 0) ? at : last);
  });
  let lowestAfter = places.length - 1;
  for (let at = places.length - 2; at > 0; at -= 1) {
    const [first, middle, last] = [places[highestBefore[at - 1] ?? 0], places[at], places[lowestAfter]];
    if (first === undefined || middle === undefined || last === undefined) break;
    if (first.place > middle.place && middle.place > last.place) return [first.word, middle.word, last.word];
    if (middle.place < last.place) lowestAfter = at;
  }
  return [];
};

/** Where the words of one text stand in the other, for those that both have equally often. */
const placesIn = (one: Statement, other: Statement, except: ReadonlySet<string>): { word: string; place: number }[] => {
  const [mine, theirs] = [positionsOf(one.stems), positionsOf(other.stems)];
  const seen = new Map<string, number>();
  return one.stems.flatMap((root, at) => {
    const nth = seen.get(root) ?? 0;
    seen.set(root, nth + 1);
    const place = theirs.get(root)?.[nth];
    const isShared = mine.get(root)?.length === theirs.get(root)?.length && !except.has(root);
    return isShared && place !== undefined ? [{ word: one.words[at] ?? root, place }] : [];
  });
};

const positionsOf = (stems: readonly string[]): Map<string, number[]> => {
  const positions = new Map<string, number[]>();
  stems.forEach((root, at) => {
    const known = positions.get(root);
    if (known === undefined) positions.set(root, [at]);
    else known.push(at);
  });
  return positions;
};

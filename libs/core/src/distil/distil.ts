import { normalise } from '../conflict-guard/words.js';
import { agreesNext, type Candidate, candidatesIn, saidIn, type SaidInTurn } from './candidates.js';
import type { DistilledFact, Distillation, DistilPorts, RefusedFact, Turn } from './conversation.js';
import { AGREEMENT } from './cues.js';
import { episodeOf } from './episode.js';
import { objectionsAmong, objectionTo } from './gate.js';
import { summarise } from './summary.js';
import { telling } from './terms.js';

/** The most of one conversation; what comes first is no better than what comes last, so each kind keeps its own. */
const MOST_FACTS = 60;
/** Of a turn, and of all turns that are read at once. Each is compared with each; whoever pastes thousands of them waits for nothing. */
const MOST_OF_A_TURN = 30;
const MOST_CANDIDATES = 200;

/**
 * Reads a conversation by rules: what was asked, decided, left open, preferred, put right, and what work it was. The same turns
 * give the same facts. No model, no clock.
 * @param from the first turn that is new; the earlier ones were distilled before, and only tell what the new ones speak of
 */
export const distil = (turns: readonly Turn[], ports: DistilPorts, from = 0): Distillation => {
  const said = saidIn(turns);
  const episode = episodeOf(turns, said, from);
  const found = candidatesIn(turns, said, from).map((one): Candidate =>
    ports.isOwnGround === false && isAgentsAlone(one, turns, said) ? { ...one, objection: 'undecided' } : one,
  );
  const { within, beyond } = bounded(found);
  const candidates = [...within, ...(episode === null ? [] : [episode])];
  const { refused, ...kept } = gated(candidates, turns, ports, { said, asked: askedIn(said) });
  const tooMany = beyond.map(({ kind, content }): RefusedFact => ({ kind, content, reason: 'too-many' }));
  return { ...kept, refused: [...refused, ...tooMany] };
};

/** What an agent says alone, where nobody of ours says yes to it. */
const isAgentsAlone = (one: Candidate, turns: readonly Turn[], said: readonly SaidInTurn[]): boolean =>
  one.side === 'answer' && one.objection === null && !agreesNext(turns, said, one.turn);

/** Only so many of a turn and of all, in order. */
const bounded = (all: readonly Candidate[]): { within: Candidate[]; beyond: Candidate[] } => {
  const [within, beyond]: [Candidate[], Candidate[]] = [[], []];
  const ofTurn = new Map<number, number>();
  for (const one of all) {
    const count = (ofTurn.get(one.turn) ?? 0) + 1;
    ofTurn.set(one.turn, count);
    (count <= MOST_OF_A_TURN && within.length < MOST_CANDIDATES ? within : beyond).push(one);
  }
  return { within, beyond };
};

/** What the gate needs beside the facts. */
export interface Reading {
  readonly said: readonly SaidInTurn[];
  readonly asked: string | null;
}

/** Lets through what is worth keeping, by the same rules wherever the facts come from. */
export const gated = (
  candidates: readonly Candidate[],
  turns: readonly Turn[],
  ports: DistilPorts,
  { said, asked }: Reading,
): Distillation => {
  const refused: RefusedFact[] = [];
  const refuse = ({ kind, content }: Candidate, reason: RefusedFact['reason']): void =>
    void refused.push({ kind, content, reason });
  const sound = candidates.filter((one) => {
    const reason = objectionTo(one, turns, ports);
    if (reason !== null) refuse(one, reason);
    return reason === null;
  });
  const against = objectionsAmong(sound, said, turns);
  const facts = sound.filter((one) => {
    const reason = against.get(one) ?? (ports.isKnown?.(one) === true ? 'already-known' : undefined);
    if (reason !== undefined) refuse(one, reason);
    return reason === undefined;
  });
  const kept = facts.slice(0, MOST_FACTS).map(factOf);
  return { summary: summarise(asked, kept), facts: kept, refused };
};

const factOf = ({
  kind,
  content,
  at,
  expiresAt,
  tags,
  evidence,
  outcome,
  files,
  errors,
}: Candidate): DistilledFact => ({
  ...{ kind, content, at, expiresAt, tags, evidence, outcome, files, errors },
});

/** The first thing that was asked in words that say something. */
const askedIn = (said: readonly SaidInTurn[]): string | null =>
  said.flatMap(({ prompt }) => prompt).find(({ text }) => telling(text).length >= 2 && !AGREEMENT.test(text))?.text ??
  null;

/** What two tellings of one fact have in common: a key made of it finds the fact again, however often it is distilled. */
export const factIdentity = ({ kind, content }: Pick<DistilledFact, 'kind' | 'content'>): string =>
  `${kind} ${normalise(content)
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim()}`;

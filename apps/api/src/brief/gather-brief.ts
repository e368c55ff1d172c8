import {
  fingerprintsOf,
  isSameError,
  type MemoryId,
  packBrief,
  type PackedBrief,
  type RetrievalId,
} from '@tempera/core';
import {
  type BriefCandidate,
  type BriefScope,
  correctionCategories,
  type ErrorResolution,
  findBriefed,
  findErrorsInWords,
  type ProjectAccess,
  type RankedMemory,
  readMemories,
  readRecallPolicy,
  recordRetrieval,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireActive } from '../encoders/encoders-moved.js';
import { requireAccess } from '../memories/place-capture.js';
import type { ReadQuestion } from '../retrieval/question-reader.js';
import { rankFor } from '../retrieval/rank-for.js';
import { searchedScopesOf } from '../retrieval/searched-scopes.js';
import { tellMemory, type ToldMemory } from './brief-item.js';
import { CATEGORIES_SHOWN } from './brief.types.js';
import type { BriefRequest } from './parse-brief.js';

/** Of what is near the task, so many are looked through. */
const NEAREST = 100;
/** Of what tells of its files, domain or type. */
const BRIEFED = 200;
/** Memories whose errors are compared with the task's; far more than tell of any one error. */
const WITH_ERRORS = 1_000;
/** Words of the task that its errors are looked for by. */
const MAX_WORDS = 100;
const MIN_WORD = 3;

export interface BriefQuestion {
  readonly caller: Caller;
  readonly request: BriefRequest;
  /** Null where no task was named. */
  readonly read: ReadQuestion | null;
  readonly now: Date;
}

export interface GatheredBrief extends PackedBrief<ToldMemory> {
  readonly retrievalId: RetrievalId;
  readonly categories: readonly { name: string; count: number }[];
  readonly searchedScopes: readonly string[];
}

/** Everything that is worth knowing before a task, of what the caller may see, as far as the budget goes; recorded as shown. */
export const gatherBrief = async (tx: Tx, question: BriefQuestion): Promise<GatheredBrief> => {
  const { caller, request, now } = question;
  const { tenantId } = caller;
  const project = request.projectSlug === null ? null : await requireAccess(tx, caller, request.projectSlug);
  const policy = await readRecallPolicy(tx, tenantId, project?.id ?? null);
  requireActive(question.read?.active ?? null, policy.encoders);
  const filter = project === null ? { exceptProjects: policy.archivedProjects } : { projectId: project.id };
  const scope: BriefScope = { tenantId, filter, now };
  const { task } = request;
  const ranked =
    task === null || question.read === null
      ? []
      : await rankFor(tx, { caller, read: question.read, text: task, now }, filter, policy);
  const nearest = ranked.slice(0, NEAREST);
  const near = new Map(nearest.map(({ candidate: { id } }, index) => [id, index + 1]));
  const briefed = new Map((await findBriefed(tx, scope, request.subject, BRIEFED)).map((each) => [each.id, each]));
  const fingerprints = task === null ? [] : fingerprintsOf(task);
  const withErrors = await findErrorsInWords(tx, scope, wordsOf(fingerprints), WITH_ERRORS);
  const ids = new Set<MemoryId>([...near.keys(), ...briefed.keys()]);
  for (const { id, errors } of withErrors) if (tellsOf(errors, fingerprints)) ids.add(id);
  const records = await readMemories(tx, tenantId, [...ids]);
  const told = [...records.values()].flatMap(
    (record) => tellMemory(record, reasonsOf(record.id, near, briefed), fingerprints) ?? [],
  );
  const packed = packBrief(told, request.maxTokens, request.perPart);
  return {
    ...packed,
    retrievalId: await recordBrief(tx, question, project, packed.shown, nearest),
    categories: await correctionCategories(tx, scope, CATEGORIES_SHOWN),
    searchedScopes: await searchedScopesOf(tx, caller, { project, group: null, scope: undefined }),
  };
};

/** In reading order; what was found by files, tags or errors alone was measured against no words. */
const recordBrief = (
  tx: Tx,
  { caller: { tenantId, userId }, request: { task }, now }: BriefQuestion,
  project: ProjectAccess | null,
  told: readonly ToldMemory[],
  nearest: readonly RankedMemory[],
): Promise<RetrievalId> => {
  const measured = new Map(
    nearest.map(({ candidate: { id }, parts: { relevance }, score }) => [id, { relevance, score }]),
  );
  return recordRetrieval(tx, {
    ...{ tenantId, userId, now },
    projectId: project?.isMember === true ? project.id : null,
    kind: 'asked',
    question: task,
    asOf: null,
    shown: told.map(({ id }) => ({ id, ...(measured.get(id) ?? { relevance: 0, score: 0 }) })),
  });
};

const reasonsOf = (
  id: MemoryId,
  near: ReadonlyMap<MemoryId, number>,
  briefed: ReadonlyMap<MemoryId, BriefCandidate>,
): Parameters<typeof tellMemory>[1] => {
  const { byFile = false, byDomain = false, byType = false } = briefed.get(id) ?? {};
  return { nearness: near.get(id) ?? null, byFile, byDomain, byType };
};

const tellsOf = (errors: readonly ErrorResolution[], fingerprints: readonly string[]): boolean =>
  errors.some(({ error, resolution }) => resolution !== null && isSameError(error, fingerprints));

/** The longest words say most; an error that the task quotes shares all of its own with it. */
const wordsOf = (fingerprints: readonly string[]): string[] => {
  const words = new Set(fingerprints.flatMap((fingerprint) => fingerprint.split(' ')));
  return [...words]
    .filter((word) => [...word].length >= MIN_WORD)
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_WORDS);
};

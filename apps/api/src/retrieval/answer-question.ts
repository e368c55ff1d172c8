import type { MemoryId, RetrievalId } from '@tempera/core';
import {
  countMemories,
  findSessionMates,
  findTextsThen,
  type MemoryRecord,
  type ProjectAccess,
  type RankedMemory,
  readMemories,
  readRecallPolicy,
  type RecallPolicy,
  recordRetrieval,
  type SearchFilter,
  type TextThen,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireActive } from '../encoders/encoders-moved.js';
import { requireGroup } from '../groups/require-group.js';
import { inWordsOfThen } from '../memories/as-of.js';
import { SESSION_MATES_SHOWN } from '../memories/memory-loaders.js';
import { requireAccess } from '../memories/place-capture.js';
import { inStage } from '../telemetry/stage.js';
import { chooseShown } from './choose-shown.js';
import type { Question } from './parse-retrieve.js';
import type { ReadQuestion } from './question-reader.js';
import { rankFor } from './rank-for.js';
import { searchedScopesOf } from './searched-scopes.js';

export interface AnswerRequest {
  readonly caller: Caller;
  readonly question: Question;
  readonly read: ReadQuestion;
  readonly now: Date;
}

/** A found memory with its row and those of its session. */
export interface FoundMemory {
  readonly ranked: RankedMemory;
  readonly record: MemoryRecord;
  readonly mates: readonly MemoryRecord[];
  /** It says something else by now; the record has the words of then. */
  readonly isPastText: boolean;
}

/** What was found, and where it was looked for. */
export interface Answer {
  readonly retrievalId: RetrievalId;
  readonly found: readonly FoundMemory[];
  readonly searchedScopes: readonly string[];
  readonly emptyReason: string | null;
  /** The moment that was asked about; null: now. */
  readonly asOf: Date | null;
}

/** Searches what the caller may see, records what is shown, and says where it looked. */
export const answerQuestion = async (tx: Tx, request: AnswerRequest): Promise<Answer> => {
  const { caller, question, now } = request;
  const project = question.projectSlug === null ? null : await requireAccess(tx, caller, question.projectSlug);
  const group = question.groupSlug === null ? null : await requireGroup(tx, caller.tenantId, question.groupSlug);
  const policy = await readRecallPolicy(tx, caller.tenantId, project?.id ?? null);
  requireActive(request.read.active, policy.encoders);
  const filter = {
    ...question.narrowing,
    // An archived project is searched when it is named, and passed by else.
    ...(project === null ? passingBy(policy) : { projectId: project.id }),
    ...(group === null ? {} : { groupId: group.id }),
  };
  const { asOf } = question;
  const texts = asOf === null ? [] : await findTextsThen(tx, { tenantId: caller.tenantId, filter }, asOf);
  const searched = { caller, read: request.read, text: question.text, mode: question.mode, now };
  const ranked = await rankFor(tx, asOf === null ? searched : { ...searched, past: { asOf, texts } }, filter, policy);
  const { mmrLambda, maxRecallItems } = policy.settings.retrieval;
  const limit = question.limit ?? maxRecallItems;
  const shown = await inStage('retrieve', 'choose', () =>
    chooseShown(tx, caller.tenantId, ranked, { lambda: mmrLambda, limit }),
  );
  const found = await inStage('retrieve', 'read', () => readFound(tx, request, shown, texts));
  const retrievalId = await inStage('retrieve', 'record', () => record(tx, request, project, found));
  const searchedScopes = await searchedScopesOf(tx, caller, { project, group, scope: question.narrowing.scope });
  const emptyReason = found.length > 0 ? null : await whyNothing(tx, request, project);
  return { retrievalId, found, searchedScopes, emptyReason, asOf };
};

const record = (
  tx: Tx,
  { caller, question, now }: AnswerRequest,
  project: ProjectAccess | null,
  found: readonly FoundMemory[],
): Promise<RetrievalId> =>
  recordRetrieval(tx, {
    tenantId: caller.tenantId,
    userId: caller.userId,
    projectId: project?.isMember === true ? project.id : null,
    kind: question.kind,
    question: question.text,
    now,
    asOf: question.asOf,
    shown: found.map(({ ranked: { candidate, parts, score } }) => ({
      id: candidate.id,
      relevance: parts.relevance,
      score,
    })),
  });

const passingBy = ({ archivedProjects }: RecallPolicy): SearchFilter =>
  archivedProjects.length > 0 ? { exceptProjects: archivedProjects } : {};

const readFound = async (
  tx: Tx,
  { caller, question, now }: AnswerRequest,
  shown: readonly RankedMemory[],
  texts: readonly TextThen[],
): Promise<FoundMemory[]> => {
  const ids = shown.map(({ candidate }) => candidate.id);
  // What else came of a session may not have been known then.
  const mates: ReadonlyMap<MemoryId, readonly MemoryId[]> =
    question.asOf === null
      ? await findSessionMates(tx, caller.tenantId, ids, { perMemory: SESSION_MATES_SHOWN, now })
      : new Map();
  const then = new Map(texts.map((text) => [text.id, text]));
  const all = new Set<MemoryId>([...ids, ...[...mates.values()].flat()]);
  const records = await readMemories(tx, caller.tenantId, [...all]);
  return shown.flatMap((ranked) => {
    const record = records.get(ranked.candidate.id);
    if (record === undefined) return [];
    const mateIds = mates.get(ranked.candidate.id) ?? [];
    const text = then.get(record.id);
    const of = mateIds.flatMap((id) => records.get(id) ?? []);
    return [{ ranked, record: inWordsOfThen(record, text), mates: of, isPastText: text !== undefined }];
  });
};

const whyNothing = async (
  tx: Tx,
  { caller, question, read, now }: AnswerRequest,
  project: ProjectAccess | null,
): Promise<string> => {
  if (project !== null && !project.isMember)
    return `You are not a member of ${project.slug}; its memories were not searched.`;
  const isNarrowed = question.groupSlug !== null || Object.keys(question.narrowing).length > 0;
  const total = await countMemories(tx, caller.tenantId, { state: 'active', unexpiredAt: now });
  if (total === 0) return 'Nothing has been captured yet that you may see.';
  if (isNarrowed) return 'No memory that passes the filter is near this question.';
  if (read.embeddings.length > 0) return 'No memory is near this question.';
  if (question.mode === 'keyword') return 'No memory shares a word with this question.';
  return read.isEncoderAway
    ? 'No memory shares a word with this question, and no encoder is ready to look further.'
    : 'No memory shares a word with this question, and no encoder reads its language.';
};

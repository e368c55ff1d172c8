import { isAppError, readsLikeInstruction } from '@tempera/client-kit';
import type { Scope } from '@tempera/core';
import type { WaitingFact } from '@tempera/platform';
import type { CaptureInput } from '../memories/capture.input.js';

/** Where a fact goes: an audience, and the project that it is about. */
export interface FactPlace {
  readonly scope: Scope;
  readonly project: string | null;
}

/**
 * Where a fact may go, the widest first: what people prefer, and what reads as an instruction to whoever is shown it, stays with its owner; the
 * rest goes where the project's maintainers have its captures go. Whoever lost the right to that keeps it for themselves.
 */
export const placesOf = (
  { kind, content, projectSlug }: Pick<WaitingFact, 'kind' | 'content' | 'projectSlug'>,
  captureScope: 'private' | 'project',
): FactPlace[] => {
  const own: FactPlace = { scope: 'private', project: null };
  if (projectSlug === null) return [own];
  const about: FactPlace = { scope: 'private', project: projectSlug };
  const isShared = captureScope === 'project' && kind !== 'preference' && !readsLikeInstruction(content);
  return [...(isShared ? [{ scope: 'project' as const, project: projectSlug }] : []), about, own];
};

/** Whether a narrower place may do where this one was refused. */
export const isOutOfPlace = (error: unknown): boolean =>
  isAppError(error) && (error.kind === 'forbidden' || error.kind === 'not-found' || error.code === 'project-archived');

/** A fact as any capture comes in. */
export const captureOf = (
  { kind, content, details, sessionKey }: WaitingFact,
  { scope, project }: FactPlace,
): CaptureInput => ({
  text: content,
  kind,
  scope,
  project,
  outcome: details.outcome ?? null,
  tags: [...(details.tags ?? [])],
  filesModified: [...(details.files ?? [])],
  errorsResolved: (details.errors ?? []).map(({ error, resolution }) => ({ error, resolution })),
  alternatives: [],
  validity: 'none',
  verification: 'untested',
  pinned: false,
  expiresAt: details.expiresAt == null ? null : new Date(details.expiresAt),
  occurredAt: details.at === undefined ? null : new Date(details.at),
  sessionKey,
  source: 'hook',
  merge: 'auto',
});

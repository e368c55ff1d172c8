/** Which captures belong together (docs/design.md, "Words": session). */
import type { ProjectId, UserId } from './memory.js';

/** Captures at most this far apart belong together, unless the client says otherwise. */
export const SESSION_GAP_HOURS = 2;
const GAP_MS = SESSION_GAP_HOURS * 3_600_000;

/** A session as it stands. */
export interface WorkSession<Id extends string = string> {
  readonly id: Id;
  readonly userId: UserId;
  /** Null for work outside any project. */
  readonly projectId: ProjectId | null;
  /** The client's own key; null where the session was found by time. */
  readonly clientKey: string | null;
  readonly startedAt: Date;
  readonly lastAt: Date;
}

/** A capture that looks for its session. */
export type SessionSeeker = Pick<WorkSession, 'userId' | 'projectId' | 'clientKey'> & { readonly at: Date };

export interface SessionLink<Id extends string = string> {
  /** Null where a new session starts. */
  readonly id: Id | null;
  /** The session's last moment with this capture in it: a late arrival does not turn it back. */
  readonly lastAt: Date;
}

/**
 * The session of a capture: the one of the client's key, whenever that was; without a key the person's latest in that
 * project whose span, two hours longer at both ends, holds the capture; else a new one. Ties by id.
 * `findOrStartSession` says the same in SQL, and a test compares the two.
 */
export const linkSession = <Id extends string>(
  sessions: readonly WorkSession<Id>[],
  capture: SessionSeeker,
): SessionLink<Id> => {
  const own = sessions.filter(({ userId, projectId }) => userId === capture.userId && projectId === capture.projectId);
  const [found] = own
    .filter((session) =>
      capture.clientKey === null ? isInReach(session, capture.at) : session.clientKey === capture.clientKey,
    )
    .sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime() || (a.id < b.id ? -1 : 1));
  if (found === undefined) return { id: null, lastAt: capture.at };
  return { id: found.id, lastAt: found.lastAt > capture.at ? found.lastAt : capture.at };
};

const isInReach = ({ startedAt, lastAt }: WorkSession, at: Date): boolean =>
  at.getTime() >= startedAt.getTime() - GAP_MS && at.getTime() <= lastAt.getTime() + GAP_MS;

import type { GraphQLClient } from '../../support/graphql-client.js';
import type { NeutralSet } from '../neutral-sets.js';

const SUCCEED = `mutation ($id: ID!) {
  editMemory(id: $id, expectedRevision: 1, input: { outcome: SUCCESS }) { memory { outcome } }
}`;

/** What followed each memory of a set in its session; the last of a session, and what has no date, is followed by nothing. */
export const followersIn = ({ memories }: NeutralSet): ReadonlyMap<string, string> => {
  const last = new Map<string, string>();
  const followers = new Map<string, string>();
  for (const { id, project, occurredAt } of memories) {
    if (occurredAt === undefined) continue;
    const session = JSON.stringify([project, occurredAt]);
    const before = last.get(session);
    if (before !== undefined) followers.set(before, id);
    last.set(session, id);
  }
  return followers;
};

/** The author's word that work went well: the nights give credit for it to what came before it in the session. */
export interface Successes {
  /** What followed these memories, which helped somebody, ended in success. Said once of each. */
  readonly follow: (helpful: readonly string[]) => Promise<void>;
}

export const successesOf = (set: NeutralSet, ids: ReadonlyMap<string, string>, author: GraphQLClient): Successes => {
  const followers = followersIn(set);
  const said = new Set<string>();
  return {
    follow: async (helpful) => {
      for (const name of helpful) {
        const follower = followers.get(name);
        const id = follower === undefined ? undefined : ids.get(follower);
        if (id === undefined || said.has(id)) continue;
        said.add(id);
        await author.send(SUCCEED, { id });
      }
    },
  };
};

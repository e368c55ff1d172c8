import type { GraphQLClient } from '../../support/graphql-client.js';
import type { NeutralSet } from '../neutral-sets.js';

const EDIT = `mutation ($id: ID!, $revision: Int!, $input: EditMemoryInput!) {
  editMemory(id: $id, expectedRevision: $revision, input: $input) { memory { revision } }
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

/** Credit goes from an episode to episodes, and a set's memories are captured as background: those two become episodes. */
export const successesOf = (set: NeutralSet, ids: ReadonlyMap<string, string>, author: GraphQLClient): Successes => {
  const followers = followersIn(set);
  const revisions = new Map<string, number>();
  const said = new Set<string>();
  const edit = async (name: string, input: object): Promise<void> => {
    const { editMemory } = await author.send<{ editMemory: { memory: { revision: number } } }>(EDIT, {
      id: ids.get(name),
      revision: revisions.get(name) ?? 1,
      input,
    });
    revisions.set(name, editMemory.memory.revision);
  };
  return {
    follow: async (helpful) => {
      for (const name of helpful) {
        const follower = followers.get(name);
        if (follower === undefined || said.has(name)) continue;
        said.add(name);
        await edit(name, { kind: 'EPISODE' });
        await edit(follower, { kind: 'EPISODE', outcome: 'SUCCESS' });
      }
    },
  };
};

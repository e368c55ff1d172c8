import { createTenant, type GraphQLClient, invite, RefusedError } from '../support/graphql-client.js';
import { capture, type CapturedView, type MemoryWorld, type NearView, openMemoryWorld } from './memory-world.js';

/** A memory as the tests of edits read it. */
export interface EditedView {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly kind: string;
  readonly scope: string;
  readonly revision: number;
  readonly tags: string[];
  readonly outcome: string | null;
  readonly expiresAt: string | null;
  readonly state: string;
  readonly stateReason: string | null;
  readonly pinned: boolean;
  readonly verification: string;
  readonly embeddingState: string;
  readonly mine: boolean;
  readonly author: { readonly displayName: string };
  readonly history: {
    readonly revision: number;
    readonly text: string;
    readonly reason: string;
    readonly author: { readonly displayName: string };
  }[];
}

export interface EditAnswer {
  readonly memory: EditedView;
  readonly changed: string[];
  readonly near: NearView[];
  readonly conflicts: NearView[];
}

const MEMORY = `id title text kind scope revision tags outcome expiresAt state stateReason pinned verification
  embeddingState mine author { displayName } history { revision text reason author { displayName } }`;
const CLOSE = '{ memory { id } similarity differences }';

export const EDIT = `mutation ($id: ID!, $revision: Int!, $input: EditMemoryInput!) {
  editMemory(id: $id, expectedRevision: $revision, input: $input) {
    memory { ${MEMORY} } changed near ${CLOSE} conflicts ${CLOSE} } }`;
export const READ = `query ($id: ID!) { memory(id: $id) { ${MEMORY} } }`;
export const PIN = `mutation ($id: ID!, $pinned: Boolean!) { changed: setPinned(id: $id, pinned: $pinned) { ${MEMORY} } }`;
export const VERIFY = `mutation ($id: ID!, $verification: Verification!) {
  changed: setVerification(id: $id, verification: $verification) { ${MEMORY} } }`;
export const ARCHIVE = `mutation ($id: ID!, $reason: String) { changed: archiveMemory(id: $id, reason: $reason) { ${MEMORY} } }`;
export const REFUTE = `mutation ($id: ID!, $by: ID, $reason: String) {
  changed: refuteMemory(id: $id, by: $by, reason: $reason) { ${MEMORY} } }`;
export const RESTORE = `mutation ($id: ID!) { changed: restoreMemory(id: $id) { ${MEMORY} } }`;
export const FORGET = `mutation ($id: ID!) { changed: forgetMemory(id: $id) { ${MEMORY} } }`;

type Arguments = Readonly<Record<string, unknown>>;

export const edit = async (
  person: GraphQLClient,
  id: string,
  revision: number,
  input: Arguments,
): Promise<EditAnswer> => (await person.send<{ editMemory: EditAnswer }>(EDIT, { id, revision, input })).editMemory;

export const change = async (person: GraphQLClient, mutation: string, variables: Arguments): Promise<EditedView> =>
  (await person.send<{ changed: EditedView }>(mutation, { ...variables })).changed;

export const read = async (person: GraphQLClient, id: string): Promise<EditedView> =>
  (await person.send<{ memory: EditedView }>(READ, { id })).memory;

/** What a refusal says, without its request id: for two that must be alike byte for byte. */
export const refusal = async (person: GraphQLClient, mutation: string, variables: Arguments): Promise<string> => {
  const { code, message, reason, status } = await person.refused(mutation, { ...variables });
  return JSON.stringify({ code, message, reason, status });
};

export const refusedWith = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof RefusedError) return `${error.code} ${error.reason}`;
    throw error;
  }
  return 'let through';
};

/** The memory world with everyone who may and may not change what project `shop` shares, and a stranger. */
export interface EditWorld extends MemoryWorld {
  /** Maintains `shop`, and is no admin. */
  readonly mia: GraphQLClient;
  readonly reader: GraphQLClient;
  /** A viewer of the tenant, whom the project calls a maintainer. */
  readonly viewer: GraphQLClient;
  readonly stranger: GraphQLClient;
  /** A text that nobody stored before, shared by Ada with `shop`. */
  readonly shared: (input: string | Arguments) => Promise<CapturedView['memory']>;
}

export const openEditWorld = async (): Promise<EditWorld> => {
  const world = await openMemoryWorld();
  const { owner, ada } = world;
  const mia = await invite(owner, { displayName: 'Mia', project: 'shop', projectRole: 'MAINTAINER' });
  const reader = await invite(owner, { displayName: 'Rea', project: 'shop', projectRole: 'READER' });
  const viewer = await invite(owner, {
    displayName: 'Vic',
    role: 'VIEWER',
    project: 'shop',
    projectRole: 'MAINTAINER',
  });
  const stranger = await createTenant(await world.api.operator(), 'Other');
  const shared: EditWorld['shared'] = async (input) => {
    const given = typeof input === 'string' ? { text: input } : input;
    return (await capture(ada, { project: 'shop', merge: 'NEVER', ...given })).memory;
  };
  return { ...world, mia, reader, viewer, stranger, shared };
};

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { type Instance, makeKeys, startInstance } from '../../support/instance.js';
import { captureSet, createProjects, embeddingsDone, type Progress } from '../capture-set.js';
import type { NeutralSet } from '../neutral-sets.js';
import { machineWith, type People, peopleAt, type PeopleTokens, settlePeople } from './people.js';

/** A set as it was captured, with everybody in place: each mode begins with a clone of it. */
export interface LearningWorld {
  readonly set: NeutralSet;
  /** The service's ids by the set's. */
  readonly ids: ReadonlyMap<string, string>;
  /** Slugs by the set's names of projects. */
  readonly slugs: ReadonlyMap<string, string>;
  /** Runs `work` on an instance of its own over a clone, with what is set for the tenant. */
  readonly onClone: <T>(options: CloneOptions, work: (clone: Clone) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

export interface CloneOptions {
  /** Also the worker, which does the nights. */
  readonly worker: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

export interface Clone {
  readonly people: People;
}

// As at capture: what a set calls relevant is known by its ids, so nothing is merged by night either.
const NO_MERGING = 'mutation { pauseSchedule(kind: CONSOLIDATE) { kind } }';
const SET = 'mutation ($input: SetSettingInput!) { setSetting(input: $input) { value } }';

/** Captures a set once. */
export const makeWorld = async (set: NeutralSet, progress: Progress): Promise<LearningWorld> => {
  const folder = await mkdtemp(join(tmpdir(), 'tempera-learning-'));
  const keysFile = join(folder, 'keys.json');
  await makeKeys(keysFile);
  const first = await startInstance({ worker: false, keysFile });
  let captured: Captured;
  let database: TestDatabase;
  try {
    captured = await capture(first, set, progress);
    // A clone needs a database that nobody is connected to, and this one ends with its instance: so a copy is kept.
    await first.stop();
    database = await openTestDatabase(first.database.name);
    await database.doors.close();
  } finally {
    await first.close();
  }
  const close = async (): Promise<void> => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  const onClone = async <T>(options: CloneOptions, work: (clone: Clone) => Promise<T>): Promise<T> => {
    const instance = await startInstance({ worker: options.worker, from: database.name, keysFile });
    try {
      const people = peopleAt(instance.url, captured.tokens);
      for (const [key, value] of Object.entries(options.settings))
        await people.owner.send(SET, { input: { key, value } });
      await people.owner.send(NO_MERGING);
      return await work({ people });
    } finally {
      await instance.close();
    }
  };
  return { set, ids: captured.ids, slugs: captured.slugs, onClone, close };
};

interface Captured {
  readonly ids: ReadonlyMap<string, string>;
  readonly slugs: ReadonlyMap<string, string>;
  readonly tokens: PeopleTokens;
}

const capture = async ({ operator, url }: Instance, set: NeutralSet, progress: Progress): Promise<Captured> => {
  let slugs: ReadonlyMap<string, string> = new Map();
  const tokens = await settlePeople(operator, `bench ${set.name}`, async (owner) => {
    slugs = await createProjects(owner, set);
    return [...slugs.values()];
  });
  const author = machineWith(url, tokens.author);
  const ids = await captureSet(author, set, slugs, { merge: false, progress });
  await embeddingsDone(author);
  return { ids, slugs, tokens };
};

import type { Progress } from '../capture-set.js';
import type { NeutralSet } from '../neutral-sets.js';
import { halve } from './halves.js';
import { type LearningWorld, makeWorld } from './learning-world.js';
import type { Mode } from './modes.js';
import { withOutdatedCopies } from './outdated-copy.js';
import { replay } from './replay.js';
import type { Conditions, ResultsFile } from './results-file.js';

/** Runs the modes of a set that the file does not hold yet; what they begin with is captured once, copies apart. */
export const runLearningSet = async (
  set: NeutralSet,
  modes: readonly Mode[],
  conditions: Conditions,
  file: ResultsFile,
  progress: Progress,
): Promise<void> => {
  const missing = modes.filter(({ name }) => file.find(set.name, name) === undefined);
  for (const hasOutdated of [false, true]) {
    const these = missing.filter((mode) => mode.hasOutdated === hasOutdated);
    if (these.length === 0) continue;
    const world = await makeWorld(hasOutdated ? withCopies(set, conditions) : set, progress);
    try {
      for (const mode of these) await file.add(await runMode(world, mode, conditions, progress));
    } finally {
      await world.close();
    }
  }
};

const withCopies = (set: NeutralSet, { sample, seed }: Conditions): NeutralSet => {
  const { voted, unseen } = halve(set.queries, sample, seed);
  const relevant = new Set([...voted, ...unseen].flatMap((query) => query.relevant));
  return withOutdatedCopies(set, relevant, new Date(), seed);
};

const runMode = async (
  world: LearningWorld,
  mode: Mode,
  { sample, seed, settings }: Conditions,
  progress: Progress,
): Promise<{ set: string; mode: string; replay: Awaited<ReturnType<typeof replay>> }> => {
  const halves = halve(world.set.queries, sample, seed);
  const options = { worker: mode.hasNights, settings: { ...settings, ...mode.settings } };
  const done = await world.onClone(options, (clone) => replay({ world, clone, mode, halves, seed, progress }));
  return { set: world.set.name, mode: mode.name, replay: done };
};

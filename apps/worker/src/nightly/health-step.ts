import { assess, type Settings, type StandingCount, sumHealth } from '@tempera/core';
import {
  groupHealth,
  type HealthGroup,
  type HealthPlace,
  pageOfMeasured,
  type Tx,
  writeHealth,
} from '@tempera/platform';
import type { RunRef } from '@tempera/platform/temporal/contract';
import { inPlaces } from './in-places.js';
import { type PageSpan, type StepWork, unprepared } from './page.js';
import type { ProjectSettings } from './project-settings.js';

/** Projects of one transaction. */
const MAX_PROJECTS = 20;
/** What the first page ends with, where projects follow: it is of what is filed under none. */
const NO_PROJECT = 'none';

/** Notes how many memories each place has and what they are worth: first of no project, then project by project. */
export const healthStep = ({ bellman }: Settings, settingsOf: ProjectSettings): StepWork => ({
  // It changes no memory and fails on none of its own: it only counts.
  memories: (_tx, _run, span) => Promise.resolve({ ids: [], after: span.after }),
  prepare: unprepared(async (tx, run, span) => {
    const { projects, after } = await placesOf(tx, run, span);
    let [looked, measured] = [0, 0];
    for (const projectId of projects) {
      const { storage } = await settingsOf(tx, projectId);
      const limits = { ageDays: storage.staleAgeDays, utility: storage.staleUtilityThreshold };
      const places = inPlaces(await groupHealth(tx, run, projectId), placeOf);
      const notes = places.map(({ place, items }) => {
        const counts = items.map((group) => judge(group, bellman.decayRate));
        return { ...place, ...sumHealth(counts, limits) };
      });
      await writeHealth(tx, run, notes);
      looked += notes.reduce((sum, { memories }) => sum + memories, 0);
      measured += notes.length;
    }
    return { report: { measured, looked, changed: measured }, after };
  }),
});

const judge = (group: HealthGroup, noneRate: number): StandingCount => {
  const state = { ...group, votes: { helpful: group.helpful, unhelpful: group.unhelpful }, noneRate };
  const { utility: utilityHere } = assess({ ...state, daysSinceUseful: group.daysUnused });
  return { ...group, assessed: assess(state), utilityHere };
};

interface PageOfPlaces {
  readonly projects: readonly (string | null)[];
  readonly after: string | null;
}

const placesOf = async (tx: Tx, { tenantId }: RunRef, span: PageSpan): Promise<PageOfPlaces> => {
  if (span.after === null) return { projects: [null], after: NO_PROJECT };
  const limit = Math.min(span.limit, MAX_PROJECTS);
  const after = span.after === NO_PROJECT ? null : span.after;
  const projects = await pageOfMeasured(tx, tenantId, { after, limit });
  return { projects, after: projects.length < limit ? null : (projects.at(-1) ?? null) };
};

const placeOf = ({ scope, ownerId, projectId, groupId }: HealthGroup): HealthPlace => ({
  scope,
  ownerId,
  projectId,
  groupId,
});

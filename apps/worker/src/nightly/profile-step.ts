import type { ProfileOf, Settings } from '@tempera/core';
import { pageOfProfiled, type ProfileSubject, refreshProfile } from '@tempera/platform';
import { type PageSpan, type StepWork, unprepared } from './page.js';

/** Profiles written in one transaction. */
const MAX_PROFILES = 20;

/** Writes each profile anew, by the rules of one that is asked for by hand. */
export const profileStep = ({ bellman }: Settings, now: () => Date): StepWork => ({
  // It fails on no memory of its own: all it does with one is to name it.
  memories: (_tx, _run, span) => Promise.resolve({ ids: [], after: span.after }),
  prepare: unprepared(async (tx, { tenantId, runDate }, span) => {
    const limit = Math.min(span.limit, MAX_PROFILES);
    const subjects = await pageOfProfiled(tx, tenantId, { after: placeOf(span), limit });
    const shared = { tenantId, runDate, decayRate: bellman.decayRate, at: now() };
    let looked = 0;
    for (const subject of subjects) looked += await refreshProfile(tx, { ...shared, subject });
    const last = subjects.length < limit ? undefined : subjects.at(-1);
    return {
      report: { profiles: subjects.length, looked, changed: subjects.length },
      after: last === undefined ? null : `${last.of}:${last.id}`,
    };
  }),
});

/** The subject that the page before ended with. */
const placeOf = ({ after }: PageSpan): ProfileSubject | null => {
  if (after === null) return null;
  const [of, id = ''] = after.split(':');
  return { of: of as ProfileOf, id };
};

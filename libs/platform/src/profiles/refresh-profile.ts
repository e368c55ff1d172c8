import { assess, chooseProfile } from '@tempera/core';
import type { Tx } from '../database/context.js';
import { profileCandidates, type ProfileSubject, writeProfile } from '../database/repositories/profile.repository.js';

/** Whose profile is written anew, and as of when. */
export interface ProfileRefresh {
  readonly tenantId: string;
  readonly subject: ProfileSubject;
  /** `YYYY-MM-DD` in the tenant's time zone. */
  readonly runDate: string;
  /** The tenant's rate of what has no validity (bellman.decay_rate). */
  readonly decayRate: number;
  readonly at: Date;
}

/** Chooses a profile's lines anew, of what whoever opened the door may see. @returns how many memories were compared */
export const refreshProfile = async (
  tx: Tx,
  { tenantId, subject, runDate, decayRate, at }: ProfileRefresh,
): Promise<number> => {
  const candidates = await profileCandidates(tx, tenantId, subject, runDate);
  const judged = candidates.map((row) => {
    const votes = { helpful: row.helpful, unhelpful: row.unhelpful };
    return { ...row, utility: assess({ ...row, votes, noneRate: decayRate }).utility };
  });
  await writeProfile(tx, tenantId, subject, chooseProfile(subject.of, judged), at);
  return candidates.length;
};

import { randomUUID } from 'node:crypto';

/** A tenant that is to be filled. */
export interface PlannedTenant {
  readonly tenantId: string;
  readonly memories: number;
  readonly people: number;
  readonly projects: number;
  /** It writes about so many subjects, from this one on. */
  readonly subjects: number;
  readonly firstSubject: number;
}

/** Memories that a tenant has of each subject. */
const OF_A_SUBJECT = 20;
/** Steps from one subject of a tenant to the next, so that neighbours in number are not neighbours in meaning. */
export const SUBJECT_STEP = 7;

/** One tenant of a size: people and projects grow with what it knows, as far as a team of agents goes. */
export const planTenant = (memories: number, subjects: number, at: number): PlannedTenant => ({
  tenantId: randomUUID(),
  memories,
  people: Math.min(60, 2 + Math.floor(memories / 400)),
  projects: Math.min(40, 1 + Math.floor(memories / 800)),
  subjects: Math.max(1, Math.min(subjects, Math.floor(memories / OF_A_SUBJECT))),
  firstSubject: (at * 31) % subjects,
});

/**
 * Sizes after Zipf: the n-th tenant is an n-th of the first. Of 200,000 memories in 1,000 tenants the largest has some
 * 27,200, and every second has fewer than 54.
 */
export const planTenants = (memories: number, tenants: number, subjects: number): PlannedTenant[] => {
  const shares = Array.from({ length: tenants }, (_, at) => 1 / (at + 1));
  const all = shares.reduce((sum, share) => sum + share, 0);
  const sizes = shares.map((share) => Math.max(1, Math.floor((memories * share) / all)));
  const left = memories - sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size, at) => planTenant(at === 0 ? Math.max(1, size + left) : size, subjects, at));
};

/** The number of a tenant's n-th subject. */
export const subjectOf = ({ firstSubject }: PlannedTenant, nth: number, subjects: number): number =>
  (firstSubject + nth * SUBJECT_STEP) % subjects;

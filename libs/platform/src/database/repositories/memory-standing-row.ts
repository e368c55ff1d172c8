import type { MemoryStanding } from '../../search/search-candidate.js';

/** The columns of memory_stat that say how a memory has proved itself. */
export interface StandingRow {
  helpful: number;
  unhelpful: number;
  helpful_voters: number;
  helpful_others: number;
  asked_retrievals: number;
  credit: number;
  propagated: number;
  reached: number;
  last_useful_at: Date;
}

export function toStanding(row: StandingRow): MemoryStanding {
  return {
    helpful: row.helpful,
    unhelpful: row.unhelpful,
    helpfulVoters: row.helpful_voters,
    helpfulOthers: row.helpful_others,
    askedRetrievals: row.asked_retrievals,
    credit: row.credit,
    propagated: row.propagated,
    reached: row.reached,
    lastUsefulAt: row.last_useful_at,
  };
}

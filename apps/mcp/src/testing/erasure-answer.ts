const ID = '44444444-0000-4000-8000-000000000004';
const AT = '2026-11-30T12:00:00.000Z';

/** A receipt as the service answers it. */
export const ERASURE = {
  id: ID,
  userId: ID,
  requestedBy: ID,
  sharedMemories: 'ERASE',
  transferTo: null,
  status: 'COMPLETED',
  counts: [{ what: 'memory', rows: 3 }],
  memorySum: '7',
  searchedColumns: 200,
  traces: [],
  mentions: [],
  requestedAt: AT,
  finishedAt: AT,
};

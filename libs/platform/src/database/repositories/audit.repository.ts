import type { Tx } from '../context.js';

/** What was done to what. `details` holds ids and names of fields, never contents. */
export interface AuditEntry {
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string | null;
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Writes to the tenant's audit chain in the caller's name. Make it the last statement: others wait until it commits. */
export const appendAudit = async (tx: Tx, { action, subjectKind, subjectId, details }: AuditEntry): Promise<void> => {
  await tx.$queryRaw`
    select audit_append(${action}, ${subjectKind}, ${subjectId}::uuid, ${JSON.stringify(details ?? {})}::jsonb)`;
};

import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import type { Identity } from '../doors.js';

export const EXPORT_KINDS = ['tenant', 'project', 'mine'] as const;
/** What is exported: what the whole tenant shares with the asker, what a project shares, or what is the asker's own. */
export type ExportKind = (typeof EXPORT_KINDS)[number];
export type ExportStatus = 'requested' | 'running' | 'completed' | 'failed';

/** The files of an export beside its manifest. */
export const EXPORT_FILES = [
  'memories.jsonl',
  'memories.md',
  'revisions.jsonl',
  'votes.jsonl',
  'questions.jsonl',
  'turns.jsonl',
] as const;
export type ExportFileName = (typeof EXPORT_FILES)[number];

/** In their order; what a person asked, voted and said is that person's own, and so in no other export. */
export const EXPORT_SECTIONS = ['memories', 'revisions', 'votes', 'questions', 'turns'] as const;
export type ExportSection = (typeof EXPORT_SECTIONS)[number];
export const sectionsOf = (kind: ExportKind): readonly ExportSection[] =>
  kind === 'mine' ? EXPORT_SECTIONS : ['memories', 'revisions'];
export const filesOf = (kind: ExportKind): readonly ExportFileName[] =>
  kind === 'mine' ? EXPORT_FILES : ['memories.jsonl', 'memories.md', 'revisions.jsonl'];

/** One file as it was completed. */
export interface ExportedFile {
  readonly name: ExportFileName;
  readonly bytes: number;
  readonly lines: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly parts: number;
}

/** What an export holds, written when it is complete. */
export interface ExportManifest {
  readonly format: 'tempera-export';
  readonly version: 1;
  readonly kind: ExportKind;
  readonly tenant: string;
  readonly project: string | null;
  /** The asker. */
  readonly madeFor: string;
  readonly requestedAt: string;
  readonly finishedAt: string;
  readonly memories: number;
  /** For a tenant's export; null elsewhere. */
  readonly leftOut: { readonly privateOfOthers: number; readonly sharedElsewhere: number } | null;
  readonly files: readonly ExportedFile[];
}

export interface DataExport {
  readonly id: string;
  readonly kind: ExportKind;
  readonly projectId: string | null;
  readonly projectSlug: string | null;
  readonly status: ExportStatus;
  /** So many memories have been written. */
  readonly memories: number;
  readonly manifest: ExportManifest | null;
  readonly failure: string | null;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
}

/** An export that is being written, and where it goes on. */
export interface HeldExport {
  readonly kind: ExportKind;
  readonly projectId: string | null;
  readonly section: ExportSection | 'done';
  readonly after: string | null;
}

export interface NewExport {
  readonly tenantId: string;
  readonly id: string;
  readonly requestedBy: string;
  readonly kind: ExportKind;
  readonly projectId: string | null;
}

const SHOWN = Prisma.sql`
  select e.id, e.kind, e.project_id as "projectId", p.slug as "projectSlug", e.status, e.memories::int as memories, e.manifest,
    e.failure, e.requested_at as "requestedAt", e.finished_at as "finishedAt", e.expires_at as "expiresAt"
  from data_export e left join project p on p.tenant_id = e.tenant_id and p.id = e.project_id`;

/** Asks for an export. @returns false where an unfinished one of the same kind is there already */
export const insertExport = async (tx: Tx, wish: NewExport): Promise<boolean> => {
  const made = await tx.$executeRaw`
    insert into data_export (tenant_id, id, requested_by, kind, project_id)
    values (${wish.tenantId}::uuid, ${wish.id}::uuid, ${wish.requestedBy}::uuid, ${wish.kind}, ${wish.projectId}::uuid)
    on conflict do nothing`;
  return made > 0;
};

/** The caller's exports that are kept, latest first. */
export const listExports = (
  tx: Tx,
  { tenantId, userId }: Identity,
  limit: number,
): Promise<DataExport[]> => tx.$queryRaw`
  ${SHOWN} where e.tenant_id = ${tenantId}::uuid and e.requested_by = ${userId}::uuid and e.expires_at > now()
  order by e.requested_at desc, e.id limit ${limit}::int`;

/** One export; null where there is none, where it is another's, or where it has expired. */
export const findExport = async (tx: Tx, tenantId: string, id: string): Promise<DataExport | null> => {
  const rows = await tx.$queryRaw<DataExport[]>`
    ${SHOWN} where e.tenant_id = ${tenantId}::uuid and e.id = ${id}::uuid and e.expires_at > now()`;
  return rows[0] ?? null;
};

/** Holds an unfinished export against other workers; null where the asker has no right to it any more, or it is over. */
export const holdExport = async (tx: Tx, tenantId: string, id: string): Promise<HeldExport | null> => {
  const rows = await tx.$queryRaw<HeldExport[]>`
    update data_export set status = 'running', touched_at = now()
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid and status in ('requested', 'running')
    returning kind, project_id as "projectId", section, after`;
  return rows[0] ?? null;
};

/** Notes how far it has got, with the page itself in one transaction. */
export const moveExport = async (
  tx: Tx,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  to: { readonly section: ExportSection | 'done'; readonly after: string | null; readonly memories: number },
): Promise<void> => {
  await tx.$executeRaw`
    update data_export set section = ${to.section}, after = ${to.after}, memories = memories + ${to.memories}::int
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
};

/** Adds a part to the end of a file; the export must be held. */
export const appendPart = async (
  tx: Tx,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  file: ExportFileName,
  content: string,
): Promise<void> => {
  await tx.$executeRaw`
    insert into export_part (tenant_id, export_id, file, part, content)
    select ${tenantId}::uuid, ${id}::uuid, ${file}, coalesce(max(p.part) + 1, 0), ${content}
    from export_part p where p.tenant_id = ${tenantId}::uuid and p.export_id = ${id}::uuid and p.file = ${file}`;
};

/** One part of a file; null where it has no such part, or the caller may not read the export. */
export const readPart = async (
  tx: Tx,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  file: ExportFileName,
  part: number,
): Promise<string | null> => {
  const rows = await tx.$queryRaw<{ content: string }[]>`
    select content from export_part
    where tenant_id = ${tenantId}::uuid and export_id = ${id}::uuid and file = ${file} and part = ${part}::int`;
  return rows[0]?.content ?? null;
};

/** What a tenant's export leaves out; zeros to who does not administer it. */
export const countLeftOut = async (tx: Tx): Promise<NonNullable<ExportManifest['leftOut']>> => {
  const rows = await tx.$queryRaw<NonNullable<ExportManifest['leftOut']>[]>`
    select private_of_others::int as "privateOfOthers", shared_elsewhere::int as "sharedElsewhere" from left_out_of_export()`;
  return rows[0] ?? { privateOfOthers: 0, sharedElsewhere: 0 };
};

/** Completes a held export. */
export const completeExport = async (tx: Tx, tenantId: string, id: string, manifest: ExportManifest): Promise<void> => {
  await tx.$executeRaw`
    update data_export set status = 'completed', manifest = ${JSON.stringify(manifest)}::jsonb, finished_at = now()
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
};

/** Marks an unfinished export as failed; as the worker, since its asker may have lost the right to it. */
export const failExport = async (tx: Tx, tenantId: string, id: string, failure: string): Promise<void> => {
  await tx.$executeRaw`
    update data_export set status = 'failed', failure = ${failure}, finished_at = now()
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid and status in ('requested', 'running')`;
};

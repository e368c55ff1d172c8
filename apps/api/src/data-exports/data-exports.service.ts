import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  appendAudit,
  type DataExport as ExportRecord,
  type Doors,
  EXPORT_FILES,
  type ExportFileName,
  type ExportKind,
  findExport,
  findProjectAccess,
  insertExport,
  listExports,
  readPart,
  type Tx,
} from '@tempera/platform';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { refuse } from '../memories/check-input.js';
import { DOORS } from '../platform/platform.tokens.js';
import { noSuchProject } from '../projects/require-project.js';
import { forbidden, requireAdmin } from '../tenants/tenant-roles.js';
import { toDataExport } from './data-export.mapper.js';
import type { DataExport, ExportDataInput } from './data-export.types.js';

/** Each may be as large as the tenant, and is kept for a week. */
export const MAX_KEPT_EXPORTS = 5;

const noSuchExport = (): AppError => new AppError('not-found', 'no-such-export', 'No such export.');

/** Asks for exports and hands out what was written. The worker writes them; no request waits for that. */
@Injectable()
export class DataExportsService {
  constructor(@Inject(DOORS) private readonly doors: Doors) {}

  /**
   * Asks for an export. An unfinished one of the same kind is answered instead of a second.
   * @throws AppError `forbidden` without the role it needs, `not-found` for a project that the caller does not see, `limit-exceeded`
   */
  request(caller: Caller, { kind, project }: ExportDataInput): Promise<DataExport> {
    return this.doors.asTenant(caller, async (tx) => {
      const projectId = await this.allowedProject(tx, caller, kind, project ?? null);
      const kept = await listExports(tx, caller, MAX_KEPT_EXPORTS);
      const waiting = kept.find((one) => isUnfinished(one) && one.kind === kind && one.projectId === projectId);
      if (waiting !== undefined) return toDataExport(waiting);
      const oldest = kept.at(-1);
      if (kept.length >= MAX_KEPT_EXPORTS && oldest !== undefined) throw tooMany(oldest);
      const id = randomUUID();
      const { tenantId, userId } = caller;
      if (!(await insertExport(tx, { tenantId, id, requestedBy: userId, kind, projectId }))) throw justAsked();
      const made = await findExport(tx, tenantId, id);
      if (made === null) throw noSuchExport();
      // What people do with their own is theirs; what many wrote leaves the house by name.
      if (kind !== 'mine') {
        await appendAudit(tx, {
          action: 'export.requested',
          subjectKind: 'export',
          subjectId: id,
          details: { kind, projectId },
        });
      }
      return toDataExport(made);
    });
  }

  /** The caller's exports that are kept, latest first. */
  async list(caller: Caller): Promise<DataExport[]> {
    const kept = await this.doors.asTenant(caller, (tx) => listExports(tx, caller, MAX_KEPT_EXPORTS));
    return kept.map(toDataExport);
  }

  /** @throws AppError `not-found` also where it is another's */
  async byId(caller: Caller, given: string): Promise<DataExport> {
    const id = parseUuid(given);
    const found = id === null ? null : await this.doors.asTenant(caller, (tx) => findExport(tx, caller.tenantId, id));
    if (found === null) throw noSuchExport();
    return toDataExport(found);
  }

  /** One part of a file. @throws AppError `not-found` for whatever is not there for the caller */
  async part(caller: Caller, given: string, name: string, part: number): Promise<string> {
    const id = parseUuid(given);
    const file = EXPORT_FILES.find((known) => known === name);
    if (id === null || file === undefined || part < 0) throw noSuchExport();
    const content = await this.doors.asTenant(caller, (tx) => this.readCompleted(tx, caller, id, file, part));
    if (content === null) throw noSuchExport();
    return content;
  }

  private async readCompleted(
    tx: Tx,
    { tenantId }: Caller,
    id: string,
    file: ExportFileName,
    part: number,
  ): Promise<string | null> {
    const found = await findExport(tx, tenantId, id);
    return found?.status === 'completed' ? readPart(tx, { tenantId, id }, file, part) : null;
  }

  /** The project of a project's export; null for the other kinds. */
  private async allowedProject(tx: Tx, caller: Caller, kind: ExportKind, slug: string | null): Promise<string | null> {
    if (kind !== 'project') {
      if (slug !== null) throw refuse('project-kind', '`project` goes with kind PROJECT.');
      if (kind === 'tenant') await requireAdmin(tx);
      return null;
    }
    if (slug === null)
      throw refuse('project-needed', 'Kind PROJECT needs `project`, the slug of one of your projects.');
    const project = await findProjectAccess(tx, caller.tenantId, slug);
    if (project === null) throw noSuchProject();
    if (!project.mayMaintain) throw forbidden('Only a maintainer of the project may do this.');
    return project.id;
  }
}

const isUnfinished = ({ status }: ExportRecord): boolean => status === 'requested' || status === 'running';

const tooMany = ({ expiresAt }: ExportRecord): AppError =>
  new AppError(
    'limit-exceeded',
    'too-many-exports',
    `You have ${MAX_KEPT_EXPORTS} exports; the oldest is removed on ${expiresAt.toISOString().slice(0, 10)}.`,
  );

/** Two at once: the other's row is not to be seen yet. */
const justAsked = (): AppError =>
  new AppError('unavailable', 'export-just-asked', 'The same export has just been asked for; ask again.');

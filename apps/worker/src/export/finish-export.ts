import { createHash } from 'node:crypto';
import { asId } from '@tempera/core';
import {
  completeExport,
  countLeftOut,
  type DataExport,
  type Doors,
  type ExportedFile,
  type ExportFileName,
  type ExportManifest,
  type ExportRef,
  filesOf,
  findExport,
  findTenant,
  findUsers,
  readPart,
  type Tx,
} from '@tempera/platform';
import { holdOwn } from './write-page.js';

export interface FinishTools {
  readonly doors: Pick<Doors, 'asTenant'>;
  readonly now: () => Date;
}

/** Reads what was written once more, for sizes and checksums, and completes the export with its manifest. */
export const finish = async ({ doors, now }: FinishTools, ref: ExportRef, beat: () => void): Promise<number> => {
  const wanted = await doors.asTenant(ref, (tx) => findUnfinished(tx, ref));
  if (wanted === null) return 0;
  const files: ExportedFile[] = [];
  for (const name of filesOf(wanted.kind)) files.push(await measure(doors, ref, name, beat));
  await doors.asTenant(ref, async (tx) => {
    if ((await holdOwn(tx, ref)) === null) return;
    await completeExport(tx, ref.tenantId, ref.exportId, await manifestOf(tx, ref, wanted, files, now()));
  });
  return wanted.memories;
};

const findUnfinished = async (tx: Tx, ref: ExportRef): Promise<DataExport | null> =>
  (await holdOwn(tx, ref)) === null ? null : findExport(tx, ref.tenantId, ref.exportId);

const measure = async (
  doors: FinishTools['doors'],
  ref: ExportRef,
  name: ExportFileName,
  beat: () => void,
): Promise<ExportedFile> => {
  const hash = createHash('sha256');
  let [bytes, lines, parts] = [0, 0, 0];
  for (;;) {
    beat();
    const content = await doors.asTenant(ref, (tx) => readPart(tx, { ...ref, id: ref.exportId }, name, parts));
    if (content === null) return { name, bytes, lines, parts, sha256: hash.digest('hex') };
    hash.update(content);
    bytes += Buffer.byteLength(content);
    lines += content.split('\n').length - 1;
    parts += 1;
  }
};

const manifestOf = async (
  tx: Tx,
  { tenantId, userId }: ExportRef,
  { kind, projectSlug, requestedAt, memories }: DataExport,
  files: readonly ExportedFile[],
  finishedAt: Date,
): Promise<ExportManifest> => {
  const tenant = await findTenant(tx, tenantId);
  const [asker] = await findUsers(tx, asId(tenantId), [asId(userId)]);
  return {
    format: 'tempera-export',
    version: 1,
    kind,
    tenant: tenant?.name ?? '',
    project: projectSlug,
    madeFor: asker?.displayName ?? '',
    requestedAt: requestedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    memories,
    leftOut: kind === 'tenant' ? await countLeftOut(tx) : null,
    files,
  };
};

import type { DataExport as ExportRecord } from '@tempera/platform';
import type { DataExport } from './data-export.types.js';

export const toDataExport = ({ manifest, projectSlug, ...row }: ExportRecord): DataExport => ({
  ...row,
  project: projectSlug,
  files: manifest === null ? [] : [...manifest.files],
  manifest: manifest === null ? null : `${JSON.stringify(manifest, null, 2)}\n`,
});

/**
 * What the worker's two sides agree on about exports. Workflow code takes types alone from here: ids are all that the engine
 * stores, never a word that anybody wrote.
 */

/** Writes one export, page by page. */
export const EXPORT_WORKFLOW = 'exportData';

/** An export, and the person in whose name it is written. */
export interface ExportRef {
  readonly tenantId: string;
  readonly exportId: string;
  readonly userId: string;
}

export interface FailExportArguments extends ExportRef {
  /** For the person who asked: never text of memories. */
  readonly failure: string;
}

/** What the workflow asks of the outside world. Each may be repeated at any time: effects are written once. */
export interface ExportActivities {
  /** Writes some pages. @returns whether there are more */
  writePages(ref: ExportRef): Promise<boolean>;
  /** Adds up what was written and completes the export. */
  finishExport(ref: ExportRef): Promise<void>;
  /** Marks an unfinished export as failed. */
  failExport(args: FailExportArguments): Promise<void>;
}

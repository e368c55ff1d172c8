const EXPORT_FIELDS =
  'id kind project status memories files { name bytes lines sha256 parts } manifest failure requestedAt expiresAt';

/** Asks for an export. */
export const EXPORT_DATA = `
  mutation ExportData($input: ExportDataInput!) { exportData(input: $input) { ${EXPORT_FIELDS} } }`;

/** An export as it stands. */
export const DATA_EXPORT = `query DataExport($id: ID!) { dataExport(id: $id) { ${EXPORT_FIELDS} } }`;

/** A part of a file of an export. */
export const EXPORT_PART = `
  query ExportPart($id: ID!, $file: String!, $part: Int!) { exportPart(id: $id, file: $file, part: $part) }`;

/** Takes memories in; without `execute` it only says what it would do. */
export const IMPORT_MEMORIES = `
  mutation ImportMemories($input: ImportInput!) {
    importMemories(input: $input) { kept merged known refused items { sourceId status memoryId code message notes } }
  }`;

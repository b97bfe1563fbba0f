/** A row of a source. */
export interface SourceRow {
  /** Where it begins, from 1. */
  readonly line: number;
  /** Bytes of the file up to the end of the row. */
  readonly endBytes: number;
  /** By the names of the columns; cells without blanks at their ends, empty ones left out. Of JSON Lines as they are. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Why it cannot be read at all; null where it can. */
  readonly problem: string | null;
}

/** A file whose rows are read one by one. */
export interface Table {
  /** For people, as in `skills_fr.csv:1042`. */
  readonly name: string;
  readonly sizeBytes: number;
  read(signal: AbortSignal): AsyncIterable<SourceRow>;
  /** Errors: IMPORT_INVALID where its file has changed since it was opened. */
  assertUnchanged(): Promise<void>;
}

/** A longer row means that a quote is not closed, or that it is another kind of file. */
export const MAX_ROW_BYTES = 4 * 1024 * 1024;

/** Cell of a row as text; empty where it has none. */
export function readTableCell(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** Several things in one cell, with a sign between them; or a list as JSON has it.
 *  @example readTableCellList('video; article;', /;/) // ['video', 'article'] */
export function readTableCellList(value: unknown, separator: RegExp): string[] {
  const texts = Array.isArray(value) ? value.map(readTableCell) : readTableCell(value).split(separator);
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

import { AppError } from '#errors';
import type { ImportRequest } from '#ports/imports';
import { readHeadText } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { ColumnSpec } from './columns.ts';
import { openJsonTable } from './json-rows.ts';
import { openTable } from './open-table.ts';
import type { Table } from './row-reader.ts';

export interface RowsOptions extends Pick<ImportRequest, 'langs' | 'provider' | 'map' | 'sheet'> {
  readonly dataset: string;
  /** For people: the name of the file. */
  readonly title: string;
  /** Name as it was given, where one was. */
  readonly name?: string | undefined;
}

const READABLE = /\.(?:csv|tsv|tab|txt|jsonl|ndjson|json|xlsx|xlsm|ods)$/i;

/** Opens the one file of a source as a table: JSON by its first character, else columns, which may
 *  be those of a workbook.
 *  Errors: IMPORT_INVALID for other kinds of files, and where required columns are missing. */
export async function openRows(
  { files }: SourceFiles,
  columns: ColumnSpec,
  { map, sheet }: Pick<RowsOptions, 'map' | 'sheet'>,
): Promise<Table> {
  const [file, ...others] = files.length === 1 ? files : files.filter(({ name }) => READABLE.test(name));
  if (file === undefined || others.length > 0)
    throw new AppError(
      'IMPORT_INVALID',
      `Name one file, ending in .csv, .jsonl, .xlsx or .ods, or a ZIP file with one in it.${others.length > 0 ? ` There are ${others.length + 1}.` : ''}`,
    );
  const spec = { ...columns, isChecked: true, ...(map !== undefined && { map }) };
  const head = await readHeadText(file);
  const isJson = /^\uFEFF?\s*[[{]/.test(head) || /\.(?:jsonl|ndjson)$/i.test(file.name);
  return isJson && !/\.(?:csv|tsv)$/i.test(file.name)
    ? openJsonTable(file, head, spec)
    : openTable(file, { columns: spec, sheet });
}

/** What of the options makes another source of the same file; empty for most. */
export const readFingerprint = ({ map, sheet }: Pick<RowsOptions, 'map' | 'sheet'>): string =>
  map === undefined && sheet === undefined ? '' : `:${JSON.stringify([map, sheet])}`;

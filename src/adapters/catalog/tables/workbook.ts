import { readOds } from 'hucre/ods';
import { AppError } from '#errors';
import { createSourceFileError, type SourceFile } from '../files/source-file.ts';
import { readHeader } from './columns.ts';
import { type DelimitedOptions, findHeaderRow, MAX_ROWS_BEFORE_HEADER, toRowFields } from './delimited-table.ts';
import type { SourceRow, Table } from './row-reader.ts';
import { readXlsxRows, type SheetRow } from './xlsx-rows.ts';

interface WorkbookOptions extends DelimitedOptions {
  readonly kind: 'xlsx' | 'ods';
  /** Name of the sheet; the first when absent. */
  readonly sheet?: string | undefined;
  /** The file, packed as it is. */
  readonly bytes: Uint8Array;
  /** The files in it. */
  readonly entries: readonly SourceFile[];
}

/** Opens a sheet of a workbook (`.xlsx`, `.ods`) as a table, row by row.
 *  Errors: IMPORT_INVALID where it cannot be read, and where the sheet or required columns are
 *  missing. */
export async function openWorkbookTable(file: SourceFile, options: WorkbookOptions): Promise<Table> {
  const first: SheetRow[] = [];
  // Read once: the first reader goes on where the search for the header ends.
  let opened: AsyncGenerator<SheetRow> | null = readSheet(file, options);
  while (first.length < MAX_ROWS_BEFORE_HEADER) {
    const { done, value } = await opened.next();
    if (done) break;
    first.push(value);
  }
  const at = findHeaderRow(
    first.map(({ cells }) => cells),
    options,
  );
  const { index: headerIndex, cells } = first[at] ?? { index: 0, cells: [] };
  const header = readHeader(
    file.name,
    cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1),
    options.columns,
  );
  const { name, sizeBytes, assertUnchanged } = file;
  return {
    ...{ name, sizeBytes, assertUnchanged, columns: header.matched },
    notes: header.notes.map((note) => ({ place: name, ...note })),
    async *read(signal): AsyncGenerator<SourceRow> {
      const rows = opened === null ? readSheet(file, options) : resume(first, opened);
      opened = null;
      for await (const { index, cells: row } of rows) {
        signal.throwIfAborted();
        if (index <= headerIndex || row.every((cell) => cell.trim() === '')) continue;
        // How much of the packed file a row takes is not known.
        yield { line: index + 1, endBytes: sizeBytes, ...toRowFields(row, header) };
      }
    },
  };
}

async function* resume(first: readonly SheetRow[], rest: AsyncGenerator<SheetRow>): AsyncGenerator<SheetRow> {
  yield* first;
  yield* rest;
}

async function* readSheet(
  file: SourceFile,
  { kind, sheet, bytes, entries }: WorkbookOptions,
): AsyncGenerator<SheetRow> {
  try {
    yield* kind === 'xlsx' ? readXlsxRows(entries, sheet) : await readOdsRows(bytes, sheet);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { message } = error as Error;
    const what = kind === 'xlsx' ? 'an Excel workbook' : 'a workbook (.ods)';
    throw createSourceFileError(
      file.name,
      `is ${what} that cannot be read: ${message.replace(/\.$/, '')}. Save the sheet as CSV UTF-8, or name another with --sheet.`,
    );
  }
}

/** All rows of a sheet, blank ones too. Of its readers only this one limits repeated cells. */
async function readOdsRows(bytes: Uint8Array, wanted?: string): Promise<SheetRow[]> {
  const { sheets } = await readOds(bytes);
  const sheet = wanted === undefined ? sheets[0] : sheets.find(({ name }) => name === wanted);
  const show = (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : String(value ?? ''));
  if (sheet !== undefined) return sheet.rows.map((values, index) => ({ index, cells: values.map(show) }));
  throw new Error(`Sheet not found: ${wanted ?? 1}. It has ${sheets.map(({ name }) => name).join(', ')}`);
}

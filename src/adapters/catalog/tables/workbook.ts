import type { StreamRow } from 'hucre';
import { readOds } from 'hucre/ods';
import { streamXlsxRows } from 'hucre/xlsx';
import { runWithDeadline } from '#domain/async/deadline';
import { createSourceFileError, type SourceFile } from '../files/source-file.ts';
import { readHeader } from './columns.ts';
import { type DelimitedOptions, findHeaderRow, MAX_ROWS_BEFORE_HEADER, toRowFields } from './delimited-table.ts';
import type { SourceRow, Table } from './row-reader.ts';

interface WorkbookOptions extends DelimitedOptions {
  readonly kind: 'xlsx' | 'ods';
  /** Name of the sheet; the first when absent. */
  readonly sheet?: string | undefined;
  /** The file, packed as it is. */
  readonly bytes: Uint8Array;
}

const ROW_TIMEOUT_MS = 60_000;

/** Opens a sheet of a workbook (`.xlsx`, `.ods`) as a table, row by row.
 *  Errors: IMPORT_INVALID where it cannot be read, and where the sheet or required columns are
 *  missing. */
export async function openWorkbookTable(file: SourceFile, options: WorkbookOptions): Promise<Table> {
  const rows: { readonly index: number; readonly cells: string[] }[] = [];
  for await (const { index, values } of readSheet(file, options, MAX_ROWS_BEFORE_HEADER))
    rows.push({ index, cells: values.map(showCell) });
  const at = findHeaderRow(
    rows.map(({ cells }) => cells),
    options,
  );
  const { index: headerIndex, cells } = rows[at] ?? { index: 0, cells: [] };
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
      for await (const { index, values } of readSheet(file, options)) {
        signal.throwIfAborted();
        const row = values.map(showCell);
        if (index <= headerIndex || row.every((cell) => cell.trim() === '')) continue;
        // How much of the packed file a row takes is not known.
        yield { line: index + 1, endBytes: sizeBytes, ...toRowFields(row, header) };
      }
    },
  };
}

async function* readSheet(
  file: SourceFile,
  { kind, sheet, bytes }: WorkbookOptions,
  maxRows?: number,
): AsyncGenerator<StreamRow> {
  const limit = maxRows === undefined ? {} : { maxRows };
  try {
    if (kind === 'xlsx') yield* inTime(streamXlsxRows(bytes, { ...limit, ...(sheet !== undefined && { sheet }) }));
    else yield* await readOdsRows(bytes, sheet, maxRows);
  } catch (error) {
    const { message } = error as Error;
    const what = kind === 'xlsx' ? 'an Excel workbook' : 'a workbook (.ods)';
    throw createSourceFileError(
      file.name,
      `is ${what} that cannot be read: ${message.replace(/\.$/, '')}. Save the sheet as CSV UTF-8, or name another with --sheet.`,
    );
  }
}

/** Rows each of which comes in time: the parser takes minutes for some small files that are meant
 *  to do harm. */
async function* inTime(rows: AsyncGenerator<StreamRow, void>): AsyncGenerator<StreamRow> {
  const createLateError = () => new Error(`a row takes more than ${ROW_TIMEOUT_MS / 1_000} s to read`);
  for (;;) {
    const { done, value } = await runWithDeadline({ timeoutMs: ROW_TIMEOUT_MS, createLateError }, () => rows.next());
    if (done || value === undefined) return;
    yield value;
  }
}

/** The rows of a sheet, blank ones too. Read whole: of its readers only this one limits repeated
 *  cells, a few of which end the process. */
async function readOdsRows(bytes: Uint8Array, wanted?: string, maxRows?: number): Promise<StreamRow[]> {
  const { sheets } = await readOds(bytes);
  const sheet = wanted === undefined ? sheets[0] : sheets.find(({ name }) => name === wanted);
  if (sheet !== undefined) return sheet.rows.slice(0, maxRows).map((values, index) => ({ index, values }));
  throw new Error(`Sheet not found: ${wanted ?? 1}. It has ${sheets.map(({ name }) => name).join(', ')}`);
}

/** A cell as text; a time of day, as spreadsheets keep lengths, as `1:30`. */
function showCell(value: StreamRow['values'][number]): string {
  if (!(value instanceof Date)) return value === null || value === undefined ? '' : String(value);
  // Its days are counted from the last of 1899.
  const minutes = Math.round((value.getTime() - Date.UTC(1899, 11, 31)) / 60_000);
  if (minutes < 0 || minutes >= 100 * 24 * 60) return value.toISOString().slice(0, 10);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

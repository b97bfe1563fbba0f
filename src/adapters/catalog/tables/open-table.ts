import { readOds } from 'hucre/ods';
import { AppError } from '#errors';
import { findWorkbookKind, refuseKind, refusePackage } from '../files/file-kinds.ts';
import { createSourceFileError, readHead, type SourceFile } from '../files/source-file.ts';
import { listZip } from '../files/zip-files.ts';
import { MAX_COLUMNS, readHeader } from './columns.ts';
import {
  type DelimitedOptions,
  findHeaderRow,
  MAX_ROWS_BEFORE_HEADER,
  openDelimitedTable,
  toRowFields,
} from './delimited-table.ts';
import type { SourceRow, Table } from './row-reader.ts';
import { readXlsxRows, type SheetRow } from './xlsx-rows.ts';

interface TableOptions extends DelimitedOptions {
  /** Name of the sheet of a workbook; the first when absent. */
  readonly sheet?: string | undefined;
}

/** A workbook is held in memory as it is packed. */
const MAX_WORKBOOK_BYTES = 64 * 1024 * 1024;
/** Parts such as the list of texts are held in memory unpacked. */
const MAX_PART_BYTES = 128 * 1024 * 1024;

/** Opens a file of rows and columns with a header: text with delimiters, `.xlsx` or `.ods`.
 *  Errors: IMPORT_INVALID for any other kind of file, and where required columns are missing. */
export async function openTable(file: SourceFile, options: TableOptions): Promise<Table> {
  const head = (await readHead(file)).toString('latin1');
  if (!head.startsWith('PK\u0003\u0004')) {
    refuseKind(file.name, head);
    return openDelimitedTable(file, options);
  }
  const bytes = await readWhole(file);
  const entries = await listZip(bytes, file, MAX_PART_BYTES);
  const paths = entries.map(({ path }) => path);
  refusePackage(file.name, paths);
  const kind = findWorkbookKind(paths);
  if (kind === null) throw createSourceFileError(file.name, 'is a ZIP file within another. Unpack it first.');
  const content = entries.find(({ path }) => path === 'content.xml');
  if (kind === 'ods' && content !== undefined) await refuseHugeSheet(file, content);
  return openWorkbookTable(file, { ...options, kind, bytes, entries });
}

async function readWhole(file: SourceFile): Promise<Buffer> {
  if (file.sizeBytes > MAX_WORKBOOK_BYTES)
    throw createSourceFileError(file.name, 'is larger than 64 MB. Save the sheet as CSV UTF-8.');
  const chunks: Buffer[] = [];
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const MAX_CELLS = 5_000_000;

/** Tags of rows and cells; an attribute may contain `>`. */
const TAG = /<(\/?)(?:[\w.-]+:)?(table-row|table-cell|covered-table-cell)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/g;

/** Refuses an OpenDocument sheet whose repeated cells would fill the memory: a few kilobytes can
 *  stand for billions of cells, and V8 ends the process for such an array. Errors: IMPORT_INVALID.
 *  @param content the file `content.xml`, held in memory */
export async function refuseHugeSheet({ name }: SourceFile, content: SourceFile): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await content.open()) as AsyncIterable<Buffer>) chunks.push(chunk);
  let row = { times: 1, columns: 0, filled: 0 };
  let cells = 0;
  for (const [, closing, tag, attributes = ''] of Buffer.concat(chunks).toString('latin1').matchAll(TAG)) {
    if (tag === 'table-row') {
      cells += row.times * row.filled;
      row = { times: closing ? 1 : readTimes(attributes, 'rows'), columns: 0, filled: 0 };
    } else if (!closing) {
      row.columns += readTimes(attributes, 'columns');
      // The empty rest of a row is repeated without an end and read as nothing.
      if (tag === 'covered-table-cell' || !attributes.endsWith('/') || attributes.includes('value'))
        row.filled = row.columns;
    }
    if (row.filled > MAX_COLUMNS || cells + row.times * row.filled > MAX_CELLS)
      throw createSourceFileError(
        name,
        `repeats cells so often that a row has more than ${MAX_COLUMNS} or the sheets more than ${MAX_CELLS} of them. Save the sheet as CSV UTF-8.`,
      );
  }
}

function readTimes(attributes: string, what: 'rows' | 'columns'): number {
  const [, times] = new RegExp(`number-${what}-repeated\\s*=\\s*["']\\s*\\+?(\\d+)`).exec(attributes) ?? [];
  return times === undefined ? 1 : Number(times);
}

interface WorkbookOptions extends DelimitedOptions {
  readonly kind: 'xlsx' | 'ods';
  /** Name of the sheet; the first when absent. */
  readonly sheet?: string | undefined;
  /** The file, packed as it is. */
  readonly bytes: Uint8Array;
  readonly entries: readonly SourceFile[];
}

/** Opens a sheet of a workbook as a table, row by row. Errors: IMPORT_INVALID where it cannot be
 *  read, and where the sheet or required columns are missing. */
async function openWorkbookTable(file: SourceFile, options: WorkbookOptions): Promise<Table> {
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

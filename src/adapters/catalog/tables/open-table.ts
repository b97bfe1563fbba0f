import { buffer } from 'node:stream/consumers';
import { readOds } from 'hucre/ods';
import type { ImportFormat } from '#domain/catalog';
import { AppError } from '#errors';
import type { ImportRequest, ImportSource } from '#ports/imports';
import { findWorkbookKind, refusePackageKind, refuseTextKind } from '../files/file-kinds.ts';
import { createSourceFileError, readSourceHead, readSourceHeadText, type SourceFile } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { listZip } from '../files/zip-files.ts';
import { type ColumnSpec, MAX_COLUMNS, readColumnHeader } from './columns.ts';
import type { DelimitedOptions } from './delimited-table.ts';
import { findHeaderRow, MAX_ROWS_BEFORE_HEADER, openDelimitedTable, toRowFields } from './delimited-table.ts';
import { openJsonTable } from './json-rows.ts';
import type { RowReader, SourceRow, Table } from './row-reader.ts';
import { createTableSource } from './table-source.ts';
import { readXlsxRows, type SheetRow } from './xlsx-rows.ts';

export interface RowsOptions extends Pick<ImportRequest, 'langs' | 'provider' | 'map' | 'sheet'> {
  readonly dataset: string;
  readonly title: string;
  /** The name of the data set as somebody entered it. */
  readonly name?: string | undefined;
}

const READABLE = /\.(?:csv|tsv|tab|txt|jsonl|ndjson|json|xlsx|xlsm|ods)$/i;

interface RowSource {
  readonly format: ImportFormat;
  readonly columns: ColumnSpec;
  /** Options that make another source of the same file, as a part of its fingerprint. */
  readonly variant?: string;
  createReader(table: Table): RowReader;
}

/** Opens one file that has a row for each record. Errors: IMPORT_INVALID. */
export async function openRowSource(
  source: SourceFiles,
  options: RowsOptions,
  { format, columns, variant = '', createReader }: RowSource,
): Promise<ImportSource> {
  const { dataset, title, map, sheet } = options;
  const table = await openRows(source, columns, options);
  const choices = map === undefined && sheet === undefined ? '' : `:${JSON.stringify([map, sheet])}`;
  return createTableSource({
    format,
    dataset,
    title,
    covers: [''],
    fingerprint: `${source.fingerprint}${variant}${choices}`,
    ...(table.columns && { columns: table.columns }),
    plans: [{ table, covers: '', createReader: () => createReader(table) }],
  });
}

/** Opens the only readable file, as JSON or as a table. Errors: IMPORT_INVALID. */
async function openRows(
  { files }: SourceFiles,
  columns: ColumnSpec,
  { map, sheet }: Pick<RowsOptions, 'map' | 'sheet'>,
): Promise<Table> {
  const readable = files.length === 1 ? files : files.filter(({ name }) => READABLE.test(name));
  const [file] = readable;
  if (file === undefined || readable.length > 1)
    throw new AppError(
      'IMPORT_INVALID',
      `Name one file, ending in .csv, .jsonl, .xlsx or .ods, or a ZIP file with one in it.${file === undefined ? '' : ` There are ${readable.length}.`}`,
    );
  const spec = { ...columns, isChecked: true, ...(map !== undefined && { map }) };
  const head = await readSourceHeadText(file);
  const isJson = /^\uFEFF?\s*[[{]/.test(head) || /\.(?:jsonl|ndjson)$/i.test(file.name);
  return isJson && !/\.(?:csv|tsv)$/i.test(file.name)
    ? openJsonTable(file, head, spec)
    : openTable(file, { columns: spec, sheet });
}

interface TableOptions extends DelimitedOptions {
  /** The name of a sheet in a workbook; the first by default. */
  readonly sheet?: string | undefined;
}

/** Limit of a workbook, which is in memory as a whole. */
const MAX_WORKBOOK_BYTES = 64 * 1024 * 1024;
/** Limit of an unpacked part of it, such as the list of texts, which is in memory, too. */
const MAX_PART_BYTES = 128 * 1024 * 1024;

/** Opens a text with delimiters, or a workbook (`.xlsx`, `.ods`). Errors: IMPORT_INVALID. */
export async function openTable(file: SourceFile, options: TableOptions): Promise<Table> {
  const head = (await readSourceHead(file)).toString('latin1');
  if (!head.startsWith('PK\u0003\u0004')) {
    refuseTextKind(file.name, head);
    return openDelimitedTable(file, options);
  }
  if (file.sizeBytes > MAX_WORKBOOK_BYTES)
    throw createSourceFileError(file.name, 'is larger than 64 MB. Save the sheet as CSV UTF-8.');
  const bytes = await buffer(await file.open());
  const entries = await listZip(bytes, file, MAX_PART_BYTES);
  const paths = entries.map(({ path }) => path);
  refusePackageKind(file.name, paths);
  const kind = findWorkbookKind(paths);
  if (kind === null) throw createSourceFileError(file.name, 'is a ZIP file within another. Unpack it first.');
  const content = entries.find(({ path }) => path === 'content.xml');
  if (kind === 'ods' && content !== undefined) await refuseHugeTable(file, content);
  return openWorkbookTable(file, { ...options, kind, bytes, entries });
}

const MAX_CELLS = 5_000_000;

/** Tags of rows and cells; an attribute may contain `>`. */
const TAG = /<(\/?)(?:[\w.-]+:)?(table-row|table-cell|covered-table-cell)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/g;

/** Rejects an OpenDocument sheet whose repeated cells would fill the memory: a few kilobytes can
 *  stand for billions of cells, and V8 ends the process for such an array. Errors: IMPORT_INVALID.
 *  @param content the file `content.xml`, held in memory */
export async function refuseHugeTable({ name }: SourceFile, content: SourceFile): Promise<void> {
  const xml = (await buffer(await content.open())).toString('latin1');
  let row = { times: 1, columns: 0, filled: 0 };
  let cells = 0;
  for (const [, closing, tag, attributes = ''] of xml.matchAll(TAG)) {
    if (tag === 'table-row') {
      cells += row.times * row.filled;
      row = { times: closing ? 1 : readRepetitions(attributes, 'rows'), columns: 0, filled: 0 };
    } else if (!closing) {
      row.columns += readRepetitions(attributes, 'columns');
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

function readRepetitions(attributes: string, unit: 'rows' | 'columns'): number {
  const [, times] = new RegExp(`number-${unit}-repeated\\s*=\\s*["']\\s*\\+?(\\d+)`).exec(attributes) ?? [];
  return times === undefined ? 1 : Number(times);
}

interface WorkbookOptions extends TableOptions {
  readonly kind: 'xlsx' | 'ods';
  readonly bytes: Uint8Array;
  readonly entries: readonly SourceFile[];
}

/** Opens a sheet. Errors: IMPORT_INVALID, also if the sheet or required columns are missing. */
async function openWorkbookTable(file: SourceFile, options: WorkbookOptions): Promise<Table> {
  const first: SheetRow[] = [];
  // Read once: the first reader continues where the search for the header ends.
  let opened: AsyncGenerator<SheetRow> | null = readTableSheet(file, options);
  while (first.length < MAX_ROWS_BEFORE_HEADER) {
    const { done, value } = await opened.next();
    if (done) break;
    first.push(value);
  }
  const rows = first.map(({ cells }) => cells);
  const at = findHeaderRow(rows, options);
  const { index: headerIndex, cells } = first[at] ?? { index: 0, cells: [] };
  const filled = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
  const header = readColumnHeader(file.name, filled, options.columns);
  return {
    file,
    columns: header.matched,
    notes: header.notes,
    async *read(signal): AsyncGenerator<SourceRow> {
      const rows = opened === null ? readTableSheet(file, options) : resumeTableRows(first, opened);
      opened = null;
      for await (const { index, cells: row } of rows) {
        signal.throwIfAborted();
        if (index <= headerIndex || row.every((cell) => cell.trim() === '')) continue;
        // The size of a row in the packed file is unknown.
        yield { line: index + 1, endBytes: file.sizeBytes, ...toRowFields(row, header) };
      }
    },
  };
}

async function* resumeTableRows(first: readonly SheetRow[], later: AsyncGenerator<SheetRow>): AsyncGenerator<SheetRow> {
  yield* first;
  yield* later;
}

async function* readTableSheet(file: SourceFile, options: WorkbookOptions): AsyncGenerator<SheetRow> {
  const { kind, sheet, bytes, entries } = options;
  try {
    yield* kind === 'xlsx' ? readXlsxRows(entries, sheet) : await readOdsTableRows(bytes, sheet);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { message } = error as Error;
    const fileKind = kind === 'xlsx' ? 'an Excel workbook' : 'a workbook (.ods)';
    throw createSourceFileError(
      file.name,
      `is ${fileKind} that cannot be read: ${message.replace(/\.$/, '')}. Save the sheet as CSV UTF-8, or name another with --sheet.`,
    );
  }
}

/** Reads all rows of a sheet, with blank ones. Only this reader of hucre limits repeated cells. */
async function readOdsTableRows(bytes: Uint8Array, sheetName?: string): Promise<SheetRow[]> {
  const { sheets } = await readOds(bytes);
  const sheet = sheetName === undefined ? sheets[0] : sheets.find(({ name }) => name === sheetName);
  const show = (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : String(value ?? ''));
  if (sheet !== undefined) return sheet.rows.map((values, index) => ({ index, cells: values.map(show) }));
  throw new Error(`Sheet not found: ${sheetName ?? 1}. It has ${sheets.map(({ name }) => name).join(', ')}`);
}

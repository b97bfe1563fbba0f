import { createSourceFileError, readSourceText, type SourceFile } from '../files/source-file.ts';
import { type ColumnSpec, readHeaderColumns } from './columns.ts';
import {
  type CsvFormat,
  createCsvLineCounter,
  endCsv,
  explainCsvError,
  openCsvParser,
  writeCsv,
} from './csv-parser.ts';
import type { SourceRow, Table } from './table.ts';

export interface DelimitedOptions {
  readonly columns: ColumnSpec;
  /** One of `,`, `;` and a tab, found out from the header when absent. */
  readonly delimiter?: ',' | ';' | '\t';
  /** Whether `"` encloses cells; it does when absent. */
  readonly hasQuotes?: boolean;
  /** The header is the first row that has this cell, where other lines stand before it. */
  readonly headerHas?: string;
}

interface Layout extends CsvFormat {
  readonly names: readonly (string | null)[];
  /** Rows up to the header and with it. */
  readonly headerRows: number;
}

interface Cells {
  readonly cells: readonly string[];
  readonly endBytes: number;
}

const HEAD_CHARACTERS = 65_536;
const MAX_ROWS_BEFORE_HEADER = 50;

/** A file of rows and columns with a header. Lines end as on Windows, on Unix or on old Macs; cells may hold line ends.
 *  Errors: IMPORT_INVALID for a file without the columns that must be there, or that is not UTF-8 text. */
export async function openDelimitedTable(file: SourceFile, options: DelimitedOptions): Promise<Table> {
  const head = await readHead(file);
  if (head.trim() === '')
    throw createSourceFileError(file.name, 'is empty. Look whether it is the right file.');
  const quote = options.hasQuotes === false ? null : '"';
  const lineEnd = lineEndOf(head);
  const delimiter = options.delimiter ?? delimiterOf(head, lineEnd);
  const rows = await headRows(head, { delimiter, quote, lineEnd });
  const at = rows.findIndex((row) =>
    options.headerHas === undefined ? true : row.some((cell) => isSame(cell, options.headerHas ?? '')),
  );
  const names = readHeaderColumns(file.name, rows[Math.max(at, 0)] ?? [], options.columns);
  const layout = { delimiter, quote, lineEnd, names, headerRows: at + 1 } as const;
  const { name, sizeBytes, assertUnchanged } = file;
  return { name, sizeBytes, assertUnchanged, read: (signal) => readRows(file, layout, signal) };
}

function isSame(cell: string, wanted: string): boolean {
  return cell.trim().toLowerCase() === wanted.toLowerCase();
}

async function readHead(file: SourceFile): Promise<string> {
  const decoder = new TextDecoder('utf-8');
  let head = '';
  for await (const chunk of readSourceText(file, new AbortController().signal)) {
    head += decoder.decode(chunk, { stream: true });
    if (head.length >= HEAD_CHARACTERS) break;
  }
  return head;
}

/** Returns alone, where the first line that is not empty ends with one. Cells in quotes may hold any. */
function lineEndOf(head: string): Layout['lineEnd'] {
  return /^[\r\n]*(?:"[^"]*"|[^"\r\n])+\r+(?![\r\n])/.test(head) ? '\r' : '\n';
}

/** The delimiter that is most frequent in the header. */
function delimiterOf(head: string, lineEnd: string): string {
  const [line = ''] = head.split(lineEnd, 1);
  const counts = [',', ';', '\t'].map((each) => [each, line.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** The first rows; the last of them may be cut off. */
async function headRows(head: string, format: CsvFormat): Promise<string[][]> {
  const rows: string[][] = [];
  const parser = openCsvParser(format, (cells) => {
    if (rows.length < MAX_ROWS_BEFORE_HEADER) rows.push([...cells]);
  });
  await writeCsv(parser, Buffer.from(head));
  // A file of a header alone has no line end that would end it.
  if (rows.length === 0) await endCsv(parser).catch(() => undefined);
  return rows;
}

async function* readRows(file: SourceFile, layout: Layout, signal: AbortSignal): AsyncIterable<SourceRow> {
  let rows: Cells[] = [];
  let skipped = 0;
  let lastEnd = 0;
  const lines = createCsvLineCounter(layout.lineEnd);
  const parser = openCsvParser(layout, (cells, endBytes) => rows.push({ cells, endBytes }));
  const taken = function* (): Iterable<SourceRow> {
    for (const { cells, endBytes } of rows) {
      const line = lines.lineAfter(lastEnd);
      lastEnd = endBytes;
      skipped += 1;
      if (skipped > layout.headerRows) yield { line, endBytes, ...toFields(cells, layout.names) };
    }
    rows = [];
  };
  const explain = (error: unknown): never => {
    throw explainCsvError(error, file.name, lines.lineAfter(lastEnd));
  };
  for await (const chunk of readSourceText(file, signal)) {
    lines.add(chunk);
    await writeCsv(parser, chunk).catch(explain);
    yield* taken();
  }
  await endCsv(parser).catch(explain);
  yield* taken();
}

function toFields(
  cells: readonly string[],
  names: readonly (string | null)[],
): Pick<SourceRow, 'fields' | 'problem'> {
  if (cells.length > names.length && cells.slice(names.length).some((cell) => cell.trim() !== '')) {
    const problem = `has ${cells.length} cells, the header ${names.length}: put cells that hold a delimiter or a quote into quotes, with each quote in them doubled`;
    return { fields: {}, problem };
  }
  const fields: Record<string, unknown> = {};
  for (const [i, name] of names.entries()) {
    const cell = cells[i]?.trim() ?? '';
    if (name !== null && cell !== '') fields[name] = cell;
  }
  return { fields, problem: null };
}

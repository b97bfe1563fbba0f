import { CsvError, type Info, type Parser, parse } from 'csv-parse';
import { createSourceFileError, readSourceText, type SourceFile } from '../files/source-file.ts';
import { type ColumnSpec, type Header, isHeader, readHeader } from './columns.ts';
import { MAX_ROW_BYTES, type SourceRow, type Table } from './row-reader.ts';

export interface DelimitedOptions {
  readonly columns: ColumnSpec;
  /** Whether `"` encloses cells in a file with tabs; it does when absent. */
  readonly hasQuotes?: boolean;
  /** Text of a cell of the header, where other lines come before it. */
  readonly headerHas?: string;
}

interface Layout extends CsvFormat {
  readonly header: Header;
  /** Rows up to and including the header. */
  readonly headerRows: number;
}

interface Cells {
  readonly cells: readonly string[];
  readonly endBytes: number;
}

const HEAD_CHARACTERS = 65_536;
export const MAX_ROWS_BEFORE_HEADER = 50;

/** Opens a file of rows and columns with a header; cells may hold line ends of any system.
 *  Errors: IMPORT_INVALID for a file that lacks required columns, or is not UTF-8 text. */
export async function openDelimitedTable(file: SourceFile, options: DelimitedOptions): Promise<Table> {
  const head = await readHead(file);
  if (head.trim() === '') throw createSourceFileError(file.name, 'is empty. Look whether it is the right file.');
  const lineEnd = lineEndOf(head);
  const named = SEPARATOR_LINE.exec(head)?.[1];
  const delimiter = named ?? delimiterOf(head, lineEnd);
  const quote = options.hasQuotes === false && delimiter === '\t' ? null : '"';
  const rows = await headRows(head, { delimiter, quote, lineEnd });
  const at = findHeaderRow(rows, options, named === undefined ? 0 : 1);
  const header = readHeader(file.name, rows[at] ?? [], options.columns);
  const layout = { delimiter, quote, lineEnd, header, headerRows: at + 1 } as const;
  const { name, sizeBytes, assertUnchanged } = file;
  const notes = header.notes.map((note) => ({ place: name, ...note }));
  const columns = header.matched;
  return {
    name,
    sizeBytes,
    notes,
    columns,
    assertUnchanged,
    read: (signal) => readRows(file, layout, signal),
  };
}

/** A line by which exporters tell Excel the delimiter. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=(.)"?\r?\n/i;

/** Number of the row of the header: titles and comments (`#`, as in SSSOM) may come before it.
 *  @param from number of the first row that may be it */
export function findHeaderRow(
  rows: readonly (readonly string[])[],
  { columns, headerHas }: Pick<DelimitedOptions, 'columns' | 'headerHas'>,
  from = 0,
): number {
  const isFilled = (row: readonly string[]) =>
    row.some((cell) => cell.trim() !== '') && !row[0]?.trimStart().startsWith('#');
  const fits = (row: readonly string[]) =>
    headerHas === undefined ? isHeader(row, columns) : row.some((cell) => isSame(cell, headerHas));
  const at = rows.findIndex((row, number) => number >= from && isFilled(row) && fits(row));
  const first = rows.findIndex((row, number) => number >= from && isFilled(row));
  return at === -1 ? Math.max(first, 0) : at;
}

const isSame = (cell: string, wanted: string): boolean => cell.trim().toLowerCase() === wanted.toLowerCase();

async function readHead(file: SourceFile): Promise<string> {
  const decoder = new TextDecoder('utf-8');
  let head = '';
  for await (const chunk of readSourceText(file, new AbortController().signal)) {
    head += decoder.decode(chunk, { stream: true });
    if (head.length >= HEAD_CHARACTERS) break;
  }
  return head;
}

/** Carriage returns alone, where the first line ends with one. Quoted cells may hold any. */
const lineEndOf = (head: string): Layout['lineEnd'] =>
  /^[\r\n]*(?:"[^"]*"|[^"\r\n])+\r+(?![\r\n])/.test(head) ? '\r' : '\n';

/** The delimiter that is most frequent in the header, or what comes before it. */
function delimiterOf(head: string, lineEnd: string): string {
  const lines = head.split(lineEnd, MAX_ROWS_BEFORE_HEADER).filter((each) => !each.startsWith('#'));
  const line = lines.find((each) => /[,;\t|]/.test(each)) ?? '';
  const counts = [',', ';', '\t', '|'].map((each) => [each, line.split(each).length] as const);
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
      // Spreadsheets end with rows of delimiters only.
      if (skipped <= layout.headerRows || cells.every((cell) => cell.trim() === '')) continue;
      yield { line, endBytes, ...toRowFields(cells, layout.header) };
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

export function toRowFields(
  cells: readonly string[],
  { width, toFields }: Header,
): Pick<SourceRow, 'fields' | 'problem'> {
  if (cells.length <= width || cells.slice(width).every((cell) => cell.trim() === ''))
    return { fields: toFields(cells), problem: null };
  const problem = `has ${cells.length} cells, the header ${width}: put cells that hold a delimiter or a quote into quotes, with each quote in them doubled`;
  return { fields: {}, problem };
}

interface CsvFormat {
  readonly delimiter: string;
  readonly quote: '"' | null;
  /** End of a row, with a carriage return before a newline. Excel for Mac writes returns alone. */
  readonly lineEnd: '\n' | '\r';
}

/** Passes rows on as they arrive, with the byte offset of their ends. */
function openCsvParser(
  { delimiter, quote, lineEnd }: CsvFormat,
  onRow: (cells: readonly string[], endBytes: number) => void,
): Parser {
  const parser = parse({
    bom: true,
    delimiter,
    quote,
    record_delimiter: lineEnd === '\r' ? '\r' : ['\r\n', '\n'],
    relax_column_count: true,
    // A stray quote within a cell is a character like any other.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    // Taken from here and not from the stream, so that the rows of one chunk are all that is held.
    on_record: (cells: string[], { bytes }: Info) => {
      onRow(cells, bytes);
      return null;
    },
  });
  // It is passed to the call that led to it.
  parser.on('error', () => undefined);
  return parser;
}

const writeCsv = (parser: Parser, chunk: Buffer): Promise<void> => settle((done) => parser.write(chunk, done));

const endCsv = (parser: Parser): Promise<void> => settle((done) => parser.end(done));

function settle(act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    act((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** @param line first line of the row with the error */
function explainCsvError(error: unknown, name: string, line: number): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code !== 'CSV_QUOTE_NOT_CLOSED' && error.code !== 'CSV_MAX_RECORD_SIZE') return error;
  return createSourceFileError(
    name,
    `has a row from line ${line} on with a cell that begins with a quote and is not closed again, or a row of more than 4 MB. Close the quote, and double each quote within a cell.`,
  );
}

const RETURN = 13;

/** Line numbers of offsets in a file whose cells may hold line ends. Keeps the lines that were not
 *  asked for yet, without empty ones, of which there may be any number between two rows. */
interface LineCounter {
  add(chunk: Buffer): void;
  /** Number, from 1, of the first filled line after this offset. Offsets must grow. */
  lineAfter(bytes: number): number;
}

function createCsvLineCounter(lineEnd: CsvFormat['lineEnd']): LineCounter {
  const sign = lineEnd.charCodeAt(0);
  // Where the texts of the lines end, and their numbers.
  let ends: number[] = [];
  let numbers: number[] = [];
  let next = 0;
  let lines = 0;
  let read = 0;
  let lineStart = 0;
  let last = 0;
  return {
    add(chunk) {
      if (next > 0) [ends, numbers, next] = [ends.slice(next), numbers.slice(next), 0];
      for (let at = chunk.indexOf(sign); at !== -1; at = chunk.indexOf(sign, at + 1)) {
        const before = at === 0 ? last : (chunk[at - 1] ?? 0);
        const end = read + at - (before === RETURN && sign !== RETURN ? 1 : 0);
        lines += 1;
        if (end > lineStart) {
          ends.push(end);
          numbers.push(lines);
        }
        lineStart = read + at + 1;
      }
      last = chunk.at(-1) ?? last;
      read += chunk.length;
    },
    lineAfter(bytes) {
      while (next < ends.length && (ends[next] ?? 0) <= bytes) next += 1;
      return numbers[next] ?? lines + 1;
    },
  };
}

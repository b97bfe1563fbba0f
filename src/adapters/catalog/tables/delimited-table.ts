import { promisify } from 'node:util';
import { CsvError, type Info, type Parser, parse } from 'csv-parse';
import { createSourceFileError, readSourceText, type SourceFile } from '../files/source-file.ts';
import { type ColumnSpec, type Header, isHeader, readColumnHeader } from './columns.ts';
import { MAX_ROW_BYTES, type SourceRow, type Table } from './row-reader.ts';

export interface DelimitedOptions {
  readonly columns: ColumnSpec;
  /** Whether `"` encloses cells in a file with tabs; true by default. */
  readonly hasQuotes?: boolean;
  /** Lower-case text of a header cell, if other lines precede the header. */
  readonly headerHas?: string;
}

type Layout = CsvFormat & { readonly header: Header; readonly headerRows: number };
const HEAD_CHARACTERS = 65_536;
export const MAX_ROWS_BEFORE_HEADER = 50;

/** Opens a table in UTF-8, whose cells may contain line ends. Errors: IMPORT_INVALID. */
export async function openDelimitedTable(file: SourceFile, options: DelimitedOptions): Promise<Table> {
  const { name } = file;
  const head = await readTableHead(file);
  if (head.trim() === '') throw createSourceFileError(name, 'is empty. Check that it is the right file.');
  const lineEnd = findTableLineEnd(head);
  const statedDelimiter = SEPARATOR_LINE.exec(head)?.[1];
  const delimiter = statedDelimiter ?? findDelimiter(head, lineEnd);
  const quote = options.hasQuotes === false && delimiter === '\t' ? null : '"';
  const rows = await readTableHeadRows(head, { delimiter, quote, lineEnd });
  const at = findHeaderRow(rows, options, statedDelimiter === undefined ? 0 : 1);
  const header = readColumnHeader(name, rows[at] ?? [], options.columns);
  const layout = { delimiter, quote, lineEnd, header, headerRows: at + 1 } as const;
  return {
    file,
    columns: header.matched,
    notes: header.notes,
    read: (signal) => readDelimitedRows(file, layout, signal),
  };
}

/** The line with the delimiter that exporters write for Excel. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=(.)"?\r?\n/i;

/** The number of the header's row, which titles and comments (`#`, as in SSSOM) may precede.
 *  @param from the first row that may be the header */
export function findHeaderRow(
  rows: readonly (readonly string[])[],
  { columns, headerHas }: Pick<DelimitedOptions, 'columns' | 'headerHas'>,
  from = 0,
): number {
  const isFilled = (row: readonly string[]) =>
    row.some((cell) => cell.trim() !== '') && !row[0]?.trimStart().startsWith('#');
  const fits = (row: readonly string[]) =>
    headerHas === undefined ? isHeader(row, columns) : row.some((cell) => cell.trim().toLowerCase() === headerHas);
  const at = rows.findIndex((row, number) => number >= from && isFilled(row) && fits(row));
  const first = rows.findIndex((row, number) => number >= from && isFilled(row));
  return at === -1 ? Math.max(first, 0) : at;
}

async function readTableHead(file: SourceFile): Promise<string> {
  const decoder = new TextDecoder('utf-8');
  let head = '';
  for await (const chunk of readSourceText(file, new AbortController().signal)) {
    head += decoder.decode(chunk, { stream: true });
    if (head.length >= HEAD_CHARACTERS) break;
  }
  return head;
}

/** Returns a carriage return if that ends lines, else a line feed. Quoted cells may have both. */
const findTableLineEnd = (head: string): Layout['lineEnd'] =>
  /^[\r\n]*(?:"[^"]*"|[^"\r\n])+\r+(?![\r\n])/.test(head) ? '\r' : '\n';

function findDelimiter(head: string, lineEnd: string): string {
  const lines = head.split(lineEnd, MAX_ROWS_BEFORE_HEADER).filter((each) => !each.startsWith('#'));
  const line = lines.find((each) => /[,;\t|]/.test(each)) ?? '';
  const countCells = (delimiter: string) => line.split(delimiter).length;
  const [delimiter = ','] = [',', ';', '\t', '|'].sort((a, b) => countCells(b) - countCells(a));
  return delimiter;
}

/** Reads the first rows of a table, of which the last one may be cut off. */
async function readTableHeadRows(head: string, format: CsvFormat): Promise<string[][]> {
  const rows: string[][] = [];
  const parser = openCsvParser(format, (cells) => {
    if (rows.length < MAX_ROWS_BEFORE_HEADER) rows.push([...cells]);
  });
  await writeCsv(parser, Buffer.from(head));
  // A file of a header alone has no line end that would end it.
  if (rows.length === 0) await endCsv(parser).catch(() => undefined);
  return rows;
}

async function* readDelimitedRows(file: SourceFile, layout: Layout, signal: AbortSignal): AsyncIterable<SourceRow> {
  let rows: { readonly cells: readonly string[]; readonly endBytes: number }[] = [];
  let skipped = 0;
  let lastEnd = 0;
  const lines = createCsvLineCounter(layout.lineEnd);
  const parser = openCsvParser(layout, (cells, endBytes) => rows.push({ cells, endBytes }));
  const takeRows = function* (): Iterable<SourceRow> {
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
    yield* takeRows();
  }
  await endCsv(parser).catch(explain);
  yield* takeRows();
}

export function toRowFields(cells: readonly string[], header: Header): Pick<SourceRow, 'fields' | 'problem'> {
  const { width, toFields } = header;
  if (cells.length <= width || cells.slice(width).every((cell) => cell.trim() === ''))
    return { fields: toFields(cells), problem: null };
  const problem = `has ${cells.length} cells, the header ${width}: put cells that hold a delimiter or a quote into quotes, with each quote in them doubled`;
  return { fields: {}, problem };
}

interface CsvFormat {
  readonly delimiter: string;
  readonly quote: '"' | null;
  /** A line feed may follow a carriage return. Excel for Mac writes carriage returns alone. */
  readonly lineEnd: '\n' | '\r';
}

/** Opens a parser that passes rows on as they arrive, with the byte offset of their ends. */
function openCsvParser(format: CsvFormat, onRow: (cells: readonly string[], endBytes: number) => void): Parser {
  const { delimiter, quote, lineEnd } = format;
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
    // Not read from the stream, so that only the rows of one chunk are in memory.
    on_record: (cells: string[], { bytes }: Info) => {
      onRow(cells, bytes);
      return null;
    },
  });
  // `write` and `end` pass the error on as well.
  parser.on('error', () => undefined);
  return parser;
}

const writeCsv = (parser: Parser, chunk: Buffer): Promise<void> =>
  promisify((done: (error?: Error | null) => void) => parser.write(chunk, done))();

const endCsv = (parser: Parser): Promise<void> =>
  promisify((done: (error?: Error | null) => void) => parser.end(done))();

function explainCsvError(error: unknown, name: string, line: number): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code !== 'CSV_QUOTE_NOT_CLOSED' && error.code !== 'CSV_MAX_RECORD_SIZE') return error;
  return createSourceFileError(
    name,
    `has a row from line ${line} on with a cell whose quote is not closed, or a row of more than 4 MB. Close the quote, and double each quote within a cell.`,
  );
}

const RETURN = 13;

/** Counts lines by their bytes, as cells may contain line ends. It stores only the filled lines
 *  after the last offset, as many lines between two rows may be empty. */
function createCsvLineCounter(lineEnd: CsvFormat['lineEnd']) {
  const sign = lineEnd.charCodeAt(0);
  let ends: number[] = [];
  let numbers: number[] = [];
  let next = 0;
  let lines = 0;
  let offset = 0;
  let lineStart = 0;
  let last = 0;
  return {
    add(chunk: Buffer): void {
      ends = ends.slice(next);
      numbers = numbers.slice(next);
      next = 0;
      for (let at = chunk.indexOf(sign); at !== -1; at = chunk.indexOf(sign, at + 1)) {
        const before = at === 0 ? last : (chunk[at - 1] ?? 0);
        const end = offset + at - (before === RETURN && sign !== RETURN ? 1 : 0);
        lines += 1;
        if (end > lineStart) {
          ends.push(end);
          numbers.push(lines);
        }
        lineStart = offset + at + 1;
      }
      last = chunk.at(-1) ?? last;
      offset += chunk.length;
    },
    /** Returns the number of the first filled line after this offset. Offsets must increase. */
    lineAfter(bytes: number): number {
      while (next < ends.length && (ends[next] ?? 0) <= bytes) next += 1;
      return numbers[next] ?? lines + 1;
    },
  };
}

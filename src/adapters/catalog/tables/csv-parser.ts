import { CsvError, type Info, type Parser, parse } from 'csv-parse';
import { createSourceFileError } from '../files/source-file.ts';
import { MAX_ROW_BYTES } from './table.ts';

export interface CsvFormat {
  readonly delimiter: string;
  readonly quote: '"' | null;
  /** Of rows; a return before a newline belongs to it. Alone it ends the rows of what spreadsheets on a Mac call CSV (Macintosh). */
  readonly lineEnd: '\n' | '\r';
}

/** Returns rows as they arrive, with the place in the file where each ends. */
export function openCsvParser(
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

/** Errors: those of the parser. */
export function writeCsv(parser: Parser, chunk: Buffer): Promise<void> {
  return settle((done) => parser.write(chunk, done));
}

/** Errors: those of the parser. */
export function endCsv(parser: Parser): Promise<void> {
  return settle((done) => parser.end(done));
}

function settle(act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    act((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** @param line where the row begins that led to the error */
export function explainCsvError(error: unknown, name: string, line: number): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code !== 'CSV_QUOTE_NOT_CLOSED' && error.code !== 'CSV_MAX_RECORD_SIZE') return error;
  return createSourceFileError(
    name,
    `has a row from line ${line} on with a cell that begins with a quote and is not closed again, or a row of more than 4 MB. Close the quote, and double each quote within a cell.`,
  );
}

const RETURN = 13;

/** Line numbers of places in a file, even where cells contain line ends. Holds the lines that were not asked for yet, without the
 *  empty ones, of which there may be any number between two rows. */
interface LineCounter {
  add(chunk: Buffer): void;
  /** Number, from 1, of the first line after this place (in bytes, not before the one asked for last) that is not empty. */
  lineAfter(bytes: number): number;
}

export function createCsvLineCounter(lineEnd: CsvFormat['lineEnd']): LineCounter {
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

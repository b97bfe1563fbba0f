import { CsvError, type Info, type Parser, parse } from 'csv-parse';
import { createSourceFileError } from '../files/source-file.ts';
import { MAX_ROW_BYTES } from './table.ts';

export interface CsvFormat {
  readonly delimiter: string;
  readonly quote: '"' | null;
}

/** Returns rows as they arrive, with the place in the file where each ends. */
export function openCsvParser(
  { delimiter, quote }: CsvFormat,
  onRow: (cells: readonly string[], endBytes: number) => void,
): Parser {
  const parser = parse({
    bom: true,
    delimiter,
    quote,
    record_delimiter: ['\r\n', '\n'],
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

const NEWLINE = 10;

const RETURN = 13;

/** Line numbers of places in a file, even where cells contain line ends. Holds lines that were not asked for yet. */
interface LineCounter {
  add(chunk: Buffer): void;
  /** Number, from 1, of the first line after this place (in bytes, not before the one asked for last) that is not empty. */
  lineAfter(bytes: number): number;
}

export function createCsvLineCounter(): LineCounter {
  let ends: number[] = [];
  let next = 0;
  let line = 1;
  let read = 0;
  let last = 0;
  return {
    add(chunk) {
      ends = ends.slice(next);
      next = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
        const before = at === 0 ? last : (chunk[at - 1] ?? 0);
        // The place where the line's text ends, and with it whether it has any.
        ends.push(read + at - (before === RETURN ? 1 : 0), read + at + 1);
      }
      last = chunk.at(-1) ?? last;
      read += chunk.length;
    },
    lineAfter(bytes) {
      let from = bytes;
      while (next < ends.length && (ends[next] ?? 0) <= from) {
        // An empty line: the line after it is meant.
        if (ends[next] === from) from = ends[next + 1] ?? from;
        next += 2;
        line += 1;
      }
      return line;
    },
  };
}

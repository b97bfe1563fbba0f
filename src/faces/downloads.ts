import { stringify } from 'csv-stringify/sync';

export interface CsvColumn<T> {
  readonly heading: string;
  value(row: T): string | number | Date | null;
}

/** Creates columns, with headings by the names of their values.
 *  @example toCsvColumns<User>((name) => t(`users.${name}`), { email: ({ email }) => email }) */
export function toCsvColumns<T>(
  headingOf: (name: string) => string,
  values: Readonly<Record<string, CsvColumn<T>['value']>>,
): CsvColumn<T>[] {
  return Object.entries(values).map(([name, value]) => ({ heading: headingOf(name), value }));
}

/** Spreadsheets take the byte order mark as the sign of UTF-8. */
const BYTE_ORDER_MARK = '\u{feff}';

/** Beginnings that spreadsheets take for a formula, also after blanks, quotes and separators. */
const formula = /^(?=[\t\r\n])|(?:^|[;\t\r\n])(?=[^\S\t\r\n"]*(?:"[^\S\t\r\n]*)*[=+\-@＝＋－＠])/g;

export async function* writeJsonLines(values: AsyncIterable<unknown>): AsyncIterable<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`;
}

/** Writes CSV (RFC 4180) line by line. Cells that look like formulas get an apostrophe in front. */
export async function* writeCsvLines<T>(
  columns: readonly CsvColumn<T>[],
  rows: AsyncIterable<T> | Iterable<T>,
): AsyncIterable<string> {
  yield BYTE_ORDER_MARK + toCsvLine(columns.map(({ heading }) => heading));
  for await (const row of rows) yield toCsvLine(columns.map((column) => column.value(row)));
}

export interface Download {
  readonly kind: 'download';
  readonly name: string;
  readonly type: string;
  readonly lines: AsyncIterable<string> | Iterable<string | Uint8Array>;
}

export function makeCsvDownload<T>(
  name: string,
  columns: readonly CsvColumn<T>[],
  rows: AsyncIterable<T> | Iterable<T>,
): Download {
  return { kind: 'download', name, type: 'text/csv; charset=utf-8', lines: writeCsvLines(columns, rows) };
}

function toCsvLine(cells: readonly (string | number | Date | null)[]): string {
  return stringify([cells], {
    record_delimiter: 'windows',
    cast: { string: (text) => text.replace(formula, "$&'"), date: (at) => at.toISOString() },
  });
}

import { stringify } from 'csv-stringify/sync';

export interface CsvColumn<T> {
  readonly heading: string;
  /** Null leaves the cell empty; dates are written in UTC as ISO 8601. */
  value(row: T): string | number | Date | null;
}

/** Columns by name.
 *  @example toCsvColumns<User>((name) => t(`users.${name}`), { email: ({ email }) => email }) */
export function toCsvColumns<T>(
  headingOf: (name: string) => string,
  values: Readonly<Record<string, CsvColumn<T>['value']>>,
): CsvColumn<T>[] {
  return Object.entries(values).map(([name, value]) => ({ heading: headingOf(name), value }));
}

/** Spreadsheets take the byte order mark as the sign of UTF-8. */
const BYTE_ORDER_MARK = '\u{feff}';

/** A spreadsheet would compute what begins like this, also after blanks and quotes and with the
 *  wide forms that some keyboards give; and many split a line at other signs than commas, in
 *  whatever cell these are. */
const formula = /^(?=[\t\r\n])|(?:^|[;\t\r\n])(?=[^\S\t\r\n"]*(?:"[^\S\t\r\n]*)*[=+\-@＝＋－＠])/g;

/** A table as CSV (RFC 4180), a line at a time, so that an export of any length needs no memory.
 *  What people typed cannot become a formula: what looks like one gets an apostrophe before it. */
export async function* writeCsvLines<T>(
  columns: readonly CsvColumn<T>[],
  rows: AsyncIterable<T> | Iterable<T>,
): AsyncIterable<string> {
  yield BYTE_ORDER_MARK + toLine(columns.map(({ heading }) => heading));
  for await (const row of rows) yield toLine(columns.map((column) => column.value(row)));
}

/** A reply that a browser saves as a file. */
export interface Download {
  readonly kind: 'download';
  /** Of the file. */
  readonly name: string;
  readonly type: string;
  readonly lines: AsyncIterable<string>;
}

export function makeCsvDownload<T>(
  name: string,
  columns: readonly CsvColumn<T>[],
  rows: AsyncIterable<T> | Iterable<T>,
): Download {
  return { kind: 'download', name, type: 'text/csv; charset=utf-8', lines: writeCsvLines(columns, rows) };
}

function toLine(cells: readonly (string | number | Date | null)[]): string {
  return stringify([cells], {
    record_delimiter: 'windows',
    cast: {
      string: (text) => text.replace(formula, "$&'"),
      date: (at) => at.toISOString(),
    },
  });
}

import type { Problem } from '#errors';
import { createSourceFileError } from '../files/source-file.ts';

/** The columns of a table. */
export interface ColumnSpec {
  /** Names of required columns. */
  readonly required: readonly string[];
  /** Names of optional columns. */
  readonly optional: readonly string[];
  /** Alternative names of these columns. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Columns whose names end with a language, such as `label:fr`. */
  readonly byLanguage?: readonly string[];
  /** An example row, by column; with a language, `label:fr`. */
  readonly examples?: Readonly<Record<string, string>>;
  /** Whether a column whose name is nearly one of these is refused; off for official files, which
   *  have columns that are not read. */
  readonly isChecked?: boolean;
}

const MAX_NAMED = 20;

/** Maps each column of a header to its name in the spec, or null. Case, blanks, `-` and `_` are
 *  ignored.
 *  Errors: IMPORT_INVALID with the columns that are missing, and those that are nearly right. */
export function readHeaderColumns(
  file: string,
  header: readonly string[],
  spec: ColumnSpec,
): (string | null)[] {
  const columns = listColumnNames(spec);
  const names = header.map((cell) => findColumn(cell, columns, spec));
  const missing = spec.required.filter((name) => !names.includes(name));
  const unknown = header.filter((cell, i) => cell.trim() !== '' && names[i] === null);
  const misspelt = unknown.flatMap((cell) => findMisspelling(cell, columns, names));
  if (missing.length === 0 && (misspelt.length === 0 || spec.isChecked !== true)) return names;
  throw createSourceFileError(file, missingMessage(missing, unknown), [
    ...missing.map((name) => ({ path: name, problem: 'this column is missing' })),
    ...misspelt,
  ]);
}

function missingMessage(missing: readonly string[], unknown: readonly string[]): string {
  const others = unknown.slice(0, MAX_NAMED).map((name) => `"${name.trim().slice(0, 60)}"`);
  const has = others.length === 0 ? '' : ` Its columns that are not known: ${others.join(', ')}.`;
  const lacks =
    missing.length === 0
      ? 'has columns whose names are nearly right'
      : `lacks the ${missing.length === 1 ? 'column' : 'columns'} ${missing.join(', ')}`;
  return `${lacks}.${has} Write the names of the columns into its first line as docs/guides/importing.md has them.`;
}

function listColumnNames({ required, optional, aliases = {} }: ColumnSpec): Map<string, string> {
  const names = [...required, ...optional].map((name) => [plain(name), name] as const);
  const others = Object.entries(aliases).map(([alias, name]) => [plain(alias), name] as const);
  return new Map([...others, ...names]);
}

function findColumn(cell: string, columns: ReadonlyMap<string, string>, spec: ColumnSpec): string | null {
  const column = columns.get(plain(cell));
  if (column !== undefined) return column;
  const at = cell.search(/[:@]/);
  const [field, lang] = at === -1 ? [cell, ''] : [cell.slice(0, at), cell.slice(at + 1).trim()];
  const name = spec.byLanguage?.find((each) => plain(each) === plain(field));
  return name !== undefined && /^[a-z]{2}$/i.test(lang) ? `${name}:${lang.toLowerCase()}` : null;
}

function findMisspelling(
  cell: string,
  columns: ReadonlyMap<string, string>,
  names: readonly (string | null)[],
): Problem[] {
  const near = [...columns].find(([name, column]) => !names.includes(column) && isNear(plain(cell), name));
  return near === undefined ? [] : [{ path: cell.trim(), problem: `did you mean the column "${near[1]}"?` }];
}

function plain(name: string): string {
  return name
    .replace(/^\uFEFF/, '')
    .toLowerCase()
    .replace(/[\s_-]+/g, '');
}

/** Whether names differ by at most two letters (one in short names). */
function isNear(a: string, b: string): boolean {
  if (a.length > 60) return false;
  return editDistance(a, b) <= (Math.min(a.length, b.length) < 6 ? 1 : 2);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

import type { Problem } from '#errors';
import { createSourceFileError } from '../files/source-file.ts';

/** The columns that a table may have. */
export interface ColumnSpec {
  /** Names of columns that must be there. */
  readonly required: readonly string[];
  /** Names of others that are read. */
  readonly optional: readonly string[];
  /** Other names of these columns, as they are written elsewhere. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Columns whose name ends in a language, as `label:fr`. */
  readonly byLanguage?: readonly string[];
  /** Cells of a row that shows how they are filled, by the names above; with a language, `label:fr`. */
  readonly examples?: Readonly<Record<string, string>>;
  /** Refuse a column whose name is nearly one of these; off for official files, which have columns that are not read. */
  readonly isChecked?: boolean;
}

const MAX_NAMED = 20;

/** For each column of a header the name it is read by, or null. Capitals, blanks, `-` and `_` make no difference.
 *  Errors: IMPORT_INVALID naming the columns that are missing, and those that are nearly right. */
export function readHeaderColumns(
  file: string,
  header: readonly string[],
  spec: ColumnSpec,
): (string | null)[] {
  const known = knownNames(spec);
  const names = header.map((cell) => findColumn(cell, known, spec));
  const missing = spec.required.filter((name) => !names.includes(name));
  const unknown = header.filter((cell, i) => cell.trim() !== '' && names[i] === null);
  const misspelt = unknown.flatMap((cell) => misspellingOf(cell, known, names));
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

function knownNames({ required, optional, aliases = {} }: ColumnSpec): Map<string, string> {
  const own = [...required, ...optional].map((name) => [plain(name), name] as const);
  const others = Object.entries(aliases).map(([alias, name]) => [plain(alias), name] as const);
  return new Map([...others, ...own]);
}

function findColumn(cell: string, known: ReadonlyMap<string, string>, spec: ColumnSpec): string | null {
  const found = known.get(plain(cell));
  if (found !== undefined) return found;
  const at = cell.search(/[:@]/);
  const [field, lang] = at === -1 ? [cell, ''] : [cell.slice(0, at), cell.slice(at + 1).trim()];
  const name = spec.byLanguage?.find((each) => plain(each) === plain(field));
  return name !== undefined && /^[a-z]{2}$/i.test(lang) ? `${name}:${lang.toLowerCase()}` : null;
}

function misspellingOf(
  cell: string,
  known: ReadonlyMap<string, string>,
  names: readonly (string | null)[],
): Problem[] {
  const near = [...known].find(([name, column]) => !names.includes(column) && isNear(plain(cell), name));
  return near === undefined ? [] : [{ path: cell.trim(), problem: `did you mean the column "${near[1]}"?` }];
}

function plain(name: string): string {
  return name
    .replace(/^\uFEFF/, '')
    .toLowerCase()
    .replace(/[\s_-]+/g, '');
}

/** Whether one or two letters (one of a short name) are left out, added or changed. */
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

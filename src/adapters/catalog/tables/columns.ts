import { AppError } from '#errors';
import type { RejectedRow } from '#ports/imports';
import { readLanguageCode } from '../language-code.ts';
import { readUnitMinutes } from '../quantities.ts';
import type { SourceRow } from './row-reader.ts';

/** The columns of a table. */
export interface ColumnSpec {
  /** Names of required columns. */
  readonly required: readonly string[];
  /** Names of optional columns. */
  readonly optional: readonly string[];
  /** Other names of a column with commas between them, the better first. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** A required column that may be absent where one of these is there. */
  readonly instead?: Readonly<Record<string, readonly string[]>>;
  /** Columns whose names end with a language, such as `label:fr`. */
  readonly byLanguage?: readonly string[];
  /** Language of a column of `byLanguage` that names none; such columns are unknown when absent. */
  readonly defaultLang?: string | undefined;
  /** Columns whose values are joined where several columns of the file are read as one. */
  readonly joined?: readonly string[];
  /** Fields of JSON that are read as they are. */
  readonly nested?: readonly string[];
  /** An example row, by column; with a language, `label:fr`. */
  readonly examples?: Readonly<Record<string, string>>;
  /** Whether columns that are not read are reported; off for official files. */
  readonly isChecked?: boolean;
  /** Columns as somebody matched them: names of the file by our names. */
  readonly map?: Readonly<Record<string, string>>;
}

/** What a column of a file is read as. */
interface Column {
  readonly name: string;
  /** Lower is better, where several columns are read as one. */
  readonly rank: number;
  /** Unit of numbers without one, as in `duration (hours)`. */
  readonly unit?: string;
  /** Language of the content, as in `title_fr`. */
  readonly lang?: string;
}

export interface Header {
  /** Fields of a row by its cells. */
  toFields(cells: readonly unknown[]): Record<string, unknown>;
  /** How many columns there are. */
  readonly width: number;
  /** What to tell about the header; without a place. */
  readonly notes: readonly Omit<RejectedRow, 'place'>[];
}

const MAX_NAMED = 20;
/** Words before and after the name of a column that say nothing. */
const ahead = new Set(
  'course cours resource ressource training formation learning lesson material object oer item kurs skill concept the is'.split(
    ' ',
  ),
);
const behind = new Set('name names text value title list'.split(' '));
/** Codes of languages that are rather words at the end of a name. */
const notLanguages = new Set(['id', 'no']);

/** Reads a header. Case, accents, blanks, signs and a plural make no difference to names.
 *  Errors: IMPORT_INVALID with the columns that are missing and those that are there; its data has
 *  `missing` and `header`, for a page that lets somebody match them. */
export function readHeader(file: string, header: readonly string[], spec: ColumnSpec): Header {
  const names = listNames(spec);
  const mapped = new Map(Object.entries(spec.map ?? {}).map(([ours, theirs]) => [keyOf(theirs), ours]));
  const columns = header.map((cell): Column | null => {
    const ours = mapped.get(keyOf(cell));
    return ours === undefined ? findColumn(cell, names, spec) : ours === '' ? null : { name: ours, rank: -1 };
  });
  const has = (name: string) => columns.some((column) => isNamed(column?.name, name));
  const unread = header.filter((cell, i) => cell.trim() !== '' && columns[i] === null);
  const missing = spec.required.filter((name) => !has(name) && !(spec.instead?.[name] ?? []).some(has));
  const isAbsent = Object.entries(spec.map ?? {}).find(
    ([, theirs]) => !header.some((cell) => keyOf(cell) === keyOf(theirs)),
  );
  if (missing.length > 0 || (isAbsent !== undefined && spec.isChecked === true && isAbsent[0] !== ''))
    throw createHeaderError(file, { missing, header, unread, names });
  return {
    width: header.length,
    notes: spec.isChecked === true && unread.length > 0 ? [noteUnread(unread, names)] : [],
    toFields: createFieldReader(columns, new Set(spec.joined)),
  };
}

/** Whether a row has all required columns. */
export function isHeader(row: readonly string[], spec: ColumnSpec): boolean {
  const names = listNames(spec);
  const found = row.map((cell) => findColumn(cell, names, spec)?.name);
  const isMapped = (name: string) =>
    row.some((cell) => cell.trim() !== '' && keyOf(cell) === keyOf(spec.map?.[name] ?? ''));
  const has = (name: string) => found.some((each) => isNamed(each, name)) || isMapped(name);
  return spec.required.every((name) => has(name) || (spec.instead?.[name] ?? []).some(has));
}

/** Of any language. */
function isNamed(name: string | undefined, wanted: string): boolean {
  return name === wanted || name?.startsWith(`${wanted}:`) === true;
}

function createFieldReader(
  columns: readonly (Column | null)[],
  joined: ReadonlySet<string>,
): Header['toFields'] {
  const inOrder = columns
    .flatMap((column, at) => (column === null ? [] : [{ ...column, at }]))
    .sort((a, b) => a.rank - b.rank);
  return (cells) => {
    const fields: Record<string, unknown> = {};
    for (const { name, at, unit, lang } of inOrder) {
      const cell = cells[at];
      const value = typeof cell === 'string' ? cell.trim() : cell;
      if (value === '' || value === undefined || value === null) continue;
      if (fields[name] === undefined)
        fields[name] = unit !== undefined && /^[\d.,]+$/.test(String(value)) ? `${value} ${unit}` : value;
      else if (joined.has(name) && typeof value === 'string' && typeof fields[name] === 'string')
        fields[name] = `${fields[name]}|${value}`;
      if (lang !== undefined && name === 'title') fields.lang ??= lang;
    }
    return fields;
  };
}

/** Reads the values of a JSON object whose names are those of columns. */
export function readJsonFields(
  value: Readonly<Record<string, unknown>>,
  spec: ColumnSpec,
): SourceRow['fields'] {
  const names = Object.keys(value);
  const ours = new Set([...spec.required, ...spec.optional, ...(spec.nested ?? [])]);
  const known = listNames(spec);
  const mapped = new Map(Object.entries(spec.map ?? {}).map(([name, theirs]) => [keyOf(theirs), name]));
  const columns = names.map((name): Column | null => {
    const byMap = mapped.get(keyOf(name));
    if (byMap !== undefined) return { name: byMap, rank: -1 };
    return ours.has(name) ? { name, rank: -1 } : (findColumn(name, known, spec) ?? { name, rank: 999 });
  });
  return createFieldReader(columns, new Set(spec.joined))(Object.values(value));
}

/** Names of a JSON object that are not read. */
export function listUnreadNames(value: Readonly<Record<string, unknown>>, spec: ColumnSpec): string[] {
  const nested = new Set(spec.nested);
  const theirs = new Set(Object.values(spec.map ?? {}).map(keyOf));
  const known = listNames(spec);
  return Object.keys(value).filter(
    (name) => !nested.has(name) && !theirs.has(keyOf(name)) && findColumn(name, known, spec) === null,
  );
}

export function noteUnread(unread: readonly string[], names: Names | ColumnSpec): Omit<RejectedRow, 'place'> {
  const all = names instanceof Map ? names : listNames(names as ColumnSpec);
  const guesses = proposeColumns(unread, all).map(([cell, name]) => ` Is "${cell}" ${name}?`);
  const which = unread.length === 1 ? 'this column is' : 'these columns are';
  return { reason: `${which} not read: ${quoted(unread)}.${guesses.join('')}`, isUsed: true };
}

type Names = ReadonlyMap<string, Pick<Column, 'name' | 'rank'>>;

/** Columns by `keyOf` their names. */
function listNames({ required, optional, aliases = {}, byLanguage = [] }: ColumnSpec): Names {
  const names = new Map<string, Pick<Column, 'name' | 'rank'>>();
  for (const name of [...required, ...optional, ...byLanguage]) names.set(keyOf(name), { name, rank: 0 });
  for (const [name, others] of Object.entries(aliases))
    for (const [at, other] of others.split(',').entries())
      if (!names.has(keyOf(other))) names.set(keyOf(other), { name, rank: at + 1 });
  return names;
}

function findColumn(cell: string, names: Names, spec: ColumnSpec): Column | null {
  const words = wordsOf(cell);
  if (words.length === 0 || words.length > 8) return null;
  const plain = lookUp(words, names);
  const last = words.at(-1) ?? '';
  // Udemy gives hours under this name.
  const unit =
    readUnitMinutes(last.replace(/s$/, '')) !== undefined
      ? last
      : words.join(' ') === 'content duration'
        ? 'h'
        : undefined;
  if (plain?.name === 'learningTime' && unit !== undefined) return { ...plain, unit };
  if (plain !== undefined) return withLanguage(plain, spec.defaultLang, spec);
  const before = words.slice(0, -1);
  const lang = notLanguages.has(last) ? undefined : readLanguageName(last);
  const tagged = lang === undefined ? undefined : lookUp(before, names);
  if (tagged !== undefined && lang !== undefined) {
    if (spec.byLanguage !== undefined) return withLanguage(tagged, lang, spec);
    return { ...tagged, rank: tagged.rank + 500, lang };
  }
  const timed = readUnitMinutes(last) === undefined ? undefined : lookUp(before, names);
  return timed?.name === 'learningTime' ? { ...timed, unit: last } : null;
}

function withLanguage(column: Column, lang: string | undefined, { byLanguage }: ColumnSpec): Column | null {
  if (byLanguage?.includes(column.name) !== true) return column;
  return lang === undefined ? null : { ...column, name: `${column.name}:${lang}` };
}

function readLanguageName(word: string): string | undefined {
  const code = readLanguageCode(word);
  return code !== undefined &&
    new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code) !== undefined
    ? code
    : undefined;
}

/** As it is, or without words that say nothing. */
function lookUp(words: readonly string[], names: Names): Column | undefined {
  const at = (part: readonly string[], extra: number) => {
    const column = names.get(joinWords(part));
    return column && { ...column, rank: column.rank + extra };
  };
  const [first = '', ...rest] = words;
  const isAhead = ahead.has(first) && rest.length > 0;
  const exact = at(words, 0) ?? (isAhead ? at(rest, 100) : undefined);
  if (exact !== undefined || words.length < 2 || !behind.has(words.at(-1) ?? '')) return exact;
  return at(words.slice(0, -1), 200);
}

function wordsOf(name: string): string[] {
  return name
    .slice(0, 120)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Without plurals. */
function joinWords(words: readonly string[]): string {
  return words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word === 's' ? '' : word)).join('');
}

function keyOf(name: string): string {
  return joinWords(wordsOf(name));
}

interface BadHeader {
  readonly missing: readonly string[];
  readonly header: readonly string[];
  readonly unread: readonly string[];
  readonly names: Names;
}

function createHeaderError(file: string, { missing, header, unread, names }: BadHeader): AppError {
  const lacks = `lacks the ${missing.length === 1 ? 'column' : 'columns'} ${missing.join(', ')}.`;
  const has = unread.length === 0 ? '' : ` Its columns that are not known: ${quoted(unread)}.`;
  const guesses = proposeColumns(unread, names).map(([cell, name]) => ` Is "${cell}" ${name}?`);
  const what =
    missing.length === 0
      ? `has no column of the name that was matched. Its columns: ${quoted(header)}. Match the columns again.`
      : `${lacks}${has}${guesses.join('')} Write these names into the first line, or match the columns: on the page, or with --map "${missing[0]}=NAME".`;
  const cells = header.map((cell) => cell.trim().slice(0, 100)).filter((cell) => cell !== '');
  return new AppError('IMPORT_INVALID', `${file} ${what}`, { data: { missing, header: cells } });
}

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => `"${name.trim().slice(0, 60)}"`);
  return names.length > MAX_NAMED
    ? `${shown.join(', ')} and ${names.length - MAX_NAMED} more`
    : shown.join(', ');
}

/** Columns whose names are nearly right. */
function proposeColumns(unread: readonly string[], names: Names): (readonly [cell: string, name: string])[] {
  return unread.slice(0, MAX_NAMED).flatMap((cell) => {
    const near = [...names].find(([key]) => isNear(keyOf(cell), key));
    return near === undefined ? [] : [[cell.trim(), near[1].name] as const];
  });
}

/** Whether names differ by at most two letters (one in short names). */
function isNear(a: string, b: string): boolean {
  if (a.length > 60 || Math.min(a.length, b.length) < 3) return false;
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

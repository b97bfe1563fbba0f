import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTypos } from '#domain/text';
import { AppError } from '#errors';
import type { MatchedColumn, RejectedRow } from '#ports/imports';
import { projectRoot } from '#project-root';
import { createSourceFileError } from '../files/source-file.ts';
import { readLanguageCode } from '../language-code.ts';
import { readUnitMinutes } from '../quantities.ts';
import type { SourceRow } from './row-reader.ts';

export interface ColumnSpec {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Other names of a column, the better first. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Columns that replace a required one, by its name. */
  readonly instead?: Readonly<Record<string, readonly string[]>>;
  /** Columns that need a language, such as `label:fr`. */
  readonly byLanguage?: readonly string[];
  /** The language of such a column that names none; it is ignored by default. */
  readonly defaultLang?: string | undefined;
  /** Columns whose values are joined if several columns of the file match. */
  readonly joined?: readonly string[];
  /** JSON fields whose values are not converted. */
  readonly nested?: readonly string[];
  /** An example row, by column, such as `title` or `label:fr`. */
  readonly examples?: Readonly<Record<string, string>>;
  /** Whether unread columns are reported; false by default, as for official files. */
  readonly isChecked?: boolean;
  /** Columns matched by hand: fields by names of columns; an empty text ignores the column. */
  readonly map?: Readonly<Record<string, string>>;
}

interface NamedColumns {
  readonly otherNames: Readonly<Record<string, readonly string[]>>;
  readonly examples: Readonly<Record<string, string>>;
}

/** Reads the names of columns from `data/import-columns.json`, in four languages and more.
 *  @param byLanguage columns that are neither required nor optional without a language */
export function readColumnNames(
  format: 'objects' | 'taxonomy' | 'crosswalk',
  required: readonly string[],
  byLanguage: readonly string[] = [],
): Pick<ColumnSpec, 'required' | 'optional' | 'aliases' | 'examples'> {
  const file = readFileSync(join(projectRoot, 'data', 'import-columns.json'), 'utf8');
  const { otherNames: aliases, examples } = JSON.parse(file)[format] as NamedColumns;
  const optional = Object.keys(aliases).filter((name) => !required.includes(name) && !byLanguage.includes(name));
  return { required, optional, aliases, examples };
}

interface Column {
  readonly name: string;
  /** Of several columns that match, the one with the lowest rank counts. */
  readonly rank: number;
  /** The unit of numbers without one, as in `duration (hours)`. */
  readonly unit?: string;
  /** The language of the content, as in `title_fr`. */
  readonly lang?: string;
}

const MAX_CACHED_NAMES = 1_000;

export interface Header {
  toFields(cells: readonly unknown[]): Record<string, unknown>;
  readonly width: number;
  readonly matched: readonly MatchedColumn[];
  readonly notes: readonly Omit<RejectedRow, 'place'>[];
}

const MAX_NAMED = 20;
/** The limit of spreadsheet programs. */
export const MAX_COLUMNS = 16_384;
const MAX_MATCHED = 200;
/** Words around the name of a column that add nothing to it. */
const prefixes = new Set(
  'course cours resource ressource training formation learning lesson material object oer item kurs skill concept video the is it what'.split(
    ' ',
  ),
);
const suffixes = new Set('name names text value title list ttc ht eur euro usd chf gbp'.split(' '));
/** Words between a name and its subject, as in `Titel des Kurses`. */
const prepositions = new Set('of the to for in de la le du des d l del al el der zum zur vers von'.split(' '));
const subjects = new Set([
  ...prefixes,
  ...'kurses kurse curso recurso formacion enseignement angebot angebots corso eur euro usd chf'.split(' '),
]);
/** Codes of languages that are other words at the end of a name. */
const notLanguages = new Set(['id', 'no']);

/** Ignores case, accents, spaces, punctuation and plurals. Errors: IMPORT_INVALID with the missing
 *  and the existing columns; its data has `columns`, for a page on which somebody matches them. */
export function readColumnHeader(file: string, header: readonly string[], spec: ColumnSpec): Header {
  if (header.length > MAX_COLUMNS)
    throw createSourceFileError(
      file,
      `has more than ${MAX_COLUMNS} columns. Write one row for each object, and the names of columns into the first line.`,
    );
  const columns = matchColumns(header, spec);
  const unread = header.filter((cell, at) => cell.trim() !== '' && columns[at] === null);
  const missing = listMissingColumns(columns, spec);
  const matched = header.flatMap((cell, at): MatchedColumn[] => {
    const name = cell.trim().slice(0, 100);
    return name === '' ? [] : [{ name, readAs: columns[at]?.name ?? null }];
  });
  // Readable columns come first, as the list is limited.
  const listed =
    matched.length <= MAX_MATCHED ? matched : matched.toSorted((a, b) => rankColumnMatch(a) - rankColumnMatch(b));
  const offered = listed.slice(0, MAX_MATCHED);
  if (missing.length > 0) throw createColumnHeaderError(file, { missing, unread, matched: offered }, spec);
  return {
    width: header.length,
    matched: offered,
    notes: spec.isChecked === true && unread.length > 0 ? [noteUnread(unread, spec)] : [],
    toFields: createColumnFieldReader(columns, new Set(spec.joined)),
  };
}

const rankColumnMatch = ({ readAs }: MatchedColumn) => (readAs === null ? 1 : 0);

export const isHeader = (row: readonly string[], spec: ColumnSpec): boolean =>
  listMissingColumns(matchColumns(row, spec), spec).length === 0;

/** The column for each cell of a header: as matched by hand, else by its name. Null for none. */
function matchColumns(cells: readonly string[], spec: ColumnSpec): (Column | null)[] {
  const names = listColumnNames(spec);
  const matches = new Map(Object.entries(spec.map ?? {}).map(([cell, name]) => [toColumnKey(cell), name]));
  return cells.map((cell) => {
    const match = matches.get(toColumnKey(cell));
    if (match === undefined) return findColumn(cell, names, spec);
    const column = names.get(toColumnKey(match)) ?? { name: match };
    return match === '' ? null : addColumnLanguage({ ...column, rank: -1 }, spec.defaultLang, spec);
  });
}

function listMissingColumns(columns: readonly (Column | null)[], { required, instead }: ColumnSpec): string[] {
  const has = (name: string) => columns.some((column) => isColumnNamed(column?.name, name));
  return required.filter((name) => !has(name) && !(instead?.[name] ?? []).some(has));
}

const isColumnNamed = (column: string | undefined, name: string): boolean =>
  column === name || column?.startsWith(`${name}:`) === true;

function createColumnFieldReader(columns: readonly (Column | null)[], joined: ReadonlySet<string>): Header['toFields'] {
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

/** Creates a function that renames the fields of JSON rows to those of the columns. */
export function createJsonColumnReader(spec: ColumnSpec): (value: SourceRow['fields']) => SourceRow['fields'] {
  const exact = new Set([...spec.required, ...spec.optional, ...(spec.nested ?? [])]);
  const cached = new Map<string, Column>();
  const find = (name: string): Column => {
    const column = (exact.has(name) ? null : matchColumns([name], spec)[0]) ?? {
      name,
      rank: exact.has(name) ? 0 : 999,
    };
    if (cached.size < MAX_CACHED_NAMES) cached.set(name, column);
    return column;
  };
  const joined = new Set(spec.joined);
  return (value) => {
    const columns = Object.keys(value).map((name) => cached.get(name) ?? find(name));
    return createColumnFieldReader(columns, joined)(Object.values(value));
  };
}

export function listUnreadNames(value: SourceRow['fields'], spec: ColumnSpec): string[] {
  return Object.keys(value).filter(
    (name) => spec.nested?.includes(name) !== true && matchColumns([name], spec)[0] === null,
  );
}

export function noteUnread(unread: readonly string[], spec: ColumnSpec): Omit<RejectedRow, 'place'> {
  const subject = unread.length === 1 ? 'this column is' : 'these columns are';
  const reason = `${subject} not read: ${quoteColumnNames(unread)}.${proposeColumns(unread, spec)}`;
  return { reason, isUsed: true, isNote: true };
}

type Names = ReadonlyMap<string, Pick<Column, 'name' | 'rank'>>;
const namesOfSpecs = new WeakMap<ColumnSpec, Names>();

function listColumnNames(spec: ColumnSpec): Names {
  const listed = namesOfSpecs.get(spec);
  if (listed !== undefined) return listed;
  const { required, optional, aliases = {}, byLanguage = [] } = spec;
  const names = new Map<string, Pick<Column, 'name' | 'rank'>>();
  namesOfSpecs.set(spec, names);
  for (const name of [...required, ...optional, ...byLanguage]) names.set(toColumnKey(name), { name, rank: 0 });
  for (const [name, otherNames] of Object.entries(aliases))
    for (const [at, alias] of otherNames.entries())
      if (!names.has(toColumnKey(alias))) names.set(toColumnKey(alias), { name, rank: at + 1 });
  return names;
}

/** The column that a cell names, also with a unit or a language at its end. */
function findColumn(cell: string, names: Names, spec: ColumnSpec): Column | null {
  const words = splitColumnName(cell);
  if (words.length === 0 || words.length > 8) return null;
  const plain = lookUpColumnName(words, names);
  const last = words.at(-1) ?? '';
  // Udemy has hours in the column `content duration`.
  const defaultUnit = words.join(' ') === 'content duration' ? 'h' : undefined;
  const unit = readUnitMinutes(last.replace(/s$/, '')) === undefined ? defaultUnit : last;
  if (plain?.name === 'learningTime' && unit !== undefined) return { ...plain, unit };
  if (plain !== undefined) return addColumnLanguage(plain, spec.defaultLang, spec);
  const before = words.slice(0, -1);
  const written = cell.match(/\p{L}+/gu)?.at(-1) ?? '';
  const lang = notLanguages.has(last) ? undefined : (readColumnLanguage(last) ?? readColumnLanguage(written));
  const tagged = lang === undefined ? undefined : lookUpColumnName(before, names);
  if (tagged !== undefined && lang !== undefined) {
    if (spec.byLanguage !== undefined) return addColumnLanguage(tagged, lang, spec);
    return { ...tagged, rank: tagged.rank + 500, lang };
  }
  const timed = readUnitMinutes(last) === undefined ? undefined : lookUpColumnName(before, names);
  if (timed?.name === 'learningTime') return { ...timed, unit: last };
  const [, outside] = /^(.+?)\s*[([]/.exec(cell) ?? [];
  return outside === undefined ? null : findColumn(outside, names, spec);
}

function addColumnLanguage(column: Column, lang: string | undefined, { byLanguage }: ColumnSpec): Column | null {
  if (byLanguage?.includes(column.name) !== true) return column;
  return lang === undefined ? null : { ...column, name: `${column.name}:${lang}` };
}

const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

function readColumnLanguage(word: string): string | undefined {
  const code = readLanguageCode(word);
  return code !== undefined && englishNames.of(code) !== undefined ? code : undefined;
}

/** Looks a column up by these words, or by fewer of them, which gives it a higher rank. */
function lookUpColumnName(words: readonly string[], names: Names): Column | undefined {
  const at = (part: readonly string[], extra: number) => {
    const column = names.get(joinColumnWords(part));
    return column && { ...column, rank: column.rank + extra };
  };
  const exact = at(words, 0);
  if (exact !== undefined) return exact;
  const [first = '', ...laterWords] = words;
  // A German compound, such as `Kurstitel`.
  if (laterWords.length === 0) return /^kurs\p{L}{3}/u.test(first) ? at([first.slice(4)], 100) : undefined;
  const shorter = prefixes.has(first) ? lookUpColumnName(laterWords, names) : undefined;
  if (shorter !== undefined) return { ...shorter, rank: shorter.rank + 100 };
  const end = words.findIndex((word) => prepositions.has(word));
  const isOfSubject = end > 0 && words.slice(end).every((word) => prepositions.has(word) || isSubjectColumn(word));
  const name = isOfSubject ? at(words.slice(0, end), 150) : undefined;
  return name ?? (suffixes.has(words.at(-1) ?? '') ? at(words.slice(0, -1), 200) : undefined);
}

const isSubjectColumn = (word: string): boolean => subjects.has(word) || subjects.has(word.replace(/s$/, ''));

function splitColumnName(name: string): string[] {
  return name
    .slice(0, 120)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

const joinColumnWords = (words: readonly string[]): string =>
  words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word.replace(/^s$/, ''))).join('');

const toColumnKey = (name: string): string => joinColumnWords(splitColumnName(name));

function createColumnHeaderError(
  file: string,
  { missing, unread, matched }: Readonly<{ missing: string[]; unread: string[]; matched: MatchedColumn[] }>,
  spec: ColumnSpec,
): AppError {
  const lacks = `${file} lacks the ${missing.length === 1 ? 'column' : 'columns'} ${missing.join(', ')}.`;
  const unknownColumns = unread.length === 0 ? '' : ` Its unknown columns: ${quoteColumnNames(unread)}.`;
  const advice = `Write these names into the first line, or match the columns: on the page, or with --map "${missing[0]}=NAME".`;
  const message = `${lacks}${unknownColumns}${proposeColumns(unread, spec)} ${advice}`;
  return new AppError('IMPORT_INVALID', message, { data: spec.isChecked ? { columns: matched } : {} });
}

function quoteColumnNames(names: readonly string[]): string {
  const displayNames = names.slice(0, MAX_NAMED).map((name) => `"${name.trim().slice(0, 60)}"`);
  return names.length > MAX_NAMED
    ? `${displayNames.join(', ')} and ${names.length - MAX_NAMED} more`
    : displayNames.join(', ');
}

function proposeColumns(unread: readonly string[], spec: ColumnSpec): string {
  const questions = unread.slice(0, MAX_NAMED).map((cell) => {
    const near = [...listColumnNames(spec)].find(([key]) => isNearColumnName(toColumnKey(cell), key));
    const isId = splitColumnName(cell).at(-1) === 'id';
    return near === undefined || isId ? '' : ` Is "${cell.trim()}" ${near[1].name}?`;
  });
  return questions.join('');
}

function isNearColumnName(a: string, b: string): boolean {
  if (a.length > 60 || Math.min(a.length, b.length) < 3) return false;
  return countTypos(a, b) <= (Math.min(a.length, b.length) < 6 ? 1 : 2);
}

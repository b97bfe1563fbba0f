import { learningObjectTypes } from '#domain/learning-object';
import { type FactName, type FactTexts, factNames, objectFacts, writeConceptText } from '#domain/object-facts';
import { readLanguageCode } from '../language-code.ts';
import { type ObjectFields, readObjectType } from '../object-record.ts';
import { readAges, readIsFree, readLevel, readMinutes, readPriceIsFree } from '../quantities.ts';
import { readRowCell, readRowCellList, type SourceRow } from './row-reader.ts';

type Fields = SourceRow['fields'];
/** The value of a cell, undefined for an empty one, and a warning if it is a guess or left out. */
type CellReading<T> = { readonly value: T | undefined; readonly warning?: string };

const LIST = /[|;]|\r?\n/;
const MAX_SHOWN = 40;
type CellFields = Omit<ObjectFields, 'url' | 'title' | 'provider'>;

/** Reads the cells of an object in any common spelling, and leaves unreadable ones out.
 *  @param defaultLang the language of objects that name none, for warnings */
export function readObjectCells(
  fields: Fields,
  defaultLang: string,
): { readonly cells: CellFields; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const take = <T>({ value, warning }: CellReading<T>): T | undefined => {
    if (warning !== undefined) warnings.push(warning);
    return value;
  };
  const cells: CellFields = {
    description: readRowCell(fields.description),
    types: take(readCellTypes(fields.type)),
    bloom: readRowCellList(fields.bloom, LIST),
    lang: take(readCellLang(readRowCellList(fields.lang, /[|;,/]|\r?\n/), defaultLang)),
    keywords: readRowCellList(fields.keywords, LIST.test(readRowCell(fields.keywords)) ? LIST : /,|\s{2,}/),
    level:
      take(readCellLevel(readRowCell(fields.level))) ?? readLevel(readRowCell(fields.educationalLevel)) ?? undefined,
    minutes: take(readCellMinutes(fields.learningTime)),
    publishers: readRowCellList(fields.publisher, LIST),
    authors: readRowCellList(fields.author, LIST),
    free: take(readFreeCell(fields)),
    popularity: take(readCellNumber(fields, { name: 'popularity', min: 0, max: 1 })),
    address: readRowCell(fields.address),
    location: take(readCellLocation(fields)),
    age: take(readCellAge(fields)),
    picture: readRowCell(fields.picture),
    embed: readRowCell(fields.embed),
    facts: readCellFacts(fields),
  };
  return { cells, warnings };
}

/** Reads facts. A list may also be JSON, with `uri` and `label` of concepts as in the contract. */
function readCellFacts(fields: Fields): FactTexts {
  return Object.fromEntries(factNames.map((name) => [name, readFactCell(name, fields[name])]));
}

function readFactCell(name: FactName, cell: unknown): readonly string[] {
  if (Array.isArray(cell))
    return cell.map((each) => (isConceptCell(each) ? writeConceptText(each) : readRowCell(each?.label ?? each)));
  const isList = objectFacts[name].kind === 'texts' || objectFacts[name].kind === 'concepts';
  return isList ? readRowCellList(cell, LIST) : [readRowCell(cell)];
}

const isConceptCell = (value: unknown): value is { readonly uri: string; readonly label?: string } =>
  typeof value === 'object' && value !== null && 'uri' in value;

const describeLeftOutCell = (name: string, text: string, advice: string): { value: undefined; warning: string } => ({
  value: undefined,
  warning: `${name} is "${text.slice(0, MAX_SHOWN)}": left out; ${advice}`,
});

function readCellTypes(cell: unknown): CellReading<readonly string[]> {
  const types = readRowCellList(cell, LIST).map((type) => type.toLowerCase());
  const isKnownType = (type: string) => (learningObjectTypes as readonly string[]).includes(type);
  const unknownType = types.find((type) => !isKnownType(type));
  if (unknownType === undefined) return { value: types };
  const guessed = readObjectType([unknownType]);
  const value = [...types.filter(isKnownType), ...(guessed === undefined ? [] : [guessed])];
  const treatment = value.length === 0 ? 'left out' : `taken as ${value.join(', ')}`;
  const warning = `type is "${unknownType.slice(0, MAX_SHOWN)}": ${treatment}; our types are ${learningObjectTypes.join(', ')}`;
  return { value, warning };
}

/** Reads the first known language, as an object has one. */
function readCellLang(texts: readonly string[], defaultLang: string): CellReading<string> {
  const [first] = texts;
  if (first === undefined) return { value: undefined };
  const value = texts.map(readLanguageCode).find((code) => code !== undefined);
  if (value !== undefined && texts.length === 1) return { value };
  const warning = `lang is "${texts.join(', ').slice(0, MAX_SHOWN)}": taken as ${value ?? defaultLang}; write one two-letter code such as en`;
  return { value, warning };
}

function readCellLevel(text: string): CellReading<number> {
  if (text === '') return { value: undefined };
  const number = Number(text.replace(',', '.'));
  if (Math.abs(number) <= 1) return { value: number };
  const level = Number.isNaN(number) ? readLevel(text) : undefined;
  // Null stands for several levels, of which none is the object's.
  if (level !== undefined) return { value: level ?? undefined };
  return describeLeftOutCell('level', text, 'write beginner, intermediate, advanced or a number from -1 to 1');
}

function readCellMinutes(cell: unknown): CellReading<number> {
  if (cell !== null && typeof cell === 'object') {
    const { value, unit } = cell as Record<string, unknown>;
    return readCellMinutes(`${readRowCell(value)} ${readRowCell(unit)}`);
  }
  const text = readRowCell(cell);
  if (text === '') return { value: undefined };
  const value = readMinutes(text);
  return value === null ? describeLeftOutCell('learningTime', text, 'write 90 min, 1 h 30 or PT1H30M') : { value };
}

function readFreeCell(fields: Fields): CellReading<boolean> {
  const textOf = (cell: unknown) => (typeof cell === 'boolean' ? String(cell) : readRowCell(cell));
  const free = textOf(fields.free);
  const price = textOf(fields.price);
  const paid = textOf(fields.paid);
  const isPaid = readIsFree(paid);
  const value = readIsFree(free) ?? (isPaid === undefined ? undefined : !isPaid) ?? readPriceIsFree(price);
  const [name, text] = Object.entries({ free, price, paid }).find(([, cell]) => cell !== '') ?? [];
  if (value !== undefined || name === undefined || text === undefined) return { value };
  return describeLeftOutCell(name, text, 'write yes, no or a price such as 12 EUR');
}

function readCellLocation(fields: Fields): CellReading<{ lat: number; lon: number }> {
  const nested = fields.location;
  const merged = typeof nested === 'object' && nested !== null ? { ...fields, ...nested } : fields;
  const lat = readCellNumber(merged, { name: 'lat', min: -90, max: 90 });
  const lon = readCellNumber(merged, { name: 'lon', min: -180, max: 180 });
  if (lat.value !== undefined && lon.value !== undefined) return { value: { lat: lat.value, lon: lon.value } };
  const warning = lat.warning ?? lon.warning;
  if (warning === undefined && lat.value === lon.value) return { value: undefined };
  return { value: undefined, warning: warning ?? 'lat and lon need each other: left out; write both, in degrees' };
}

function readCellAge(fields: Fields): CellReading<{ min?: number | undefined; max?: number | undefined }> {
  const nested = typeof fields.age === 'object' && fields.age !== null ? (fields.age as Record<string, unknown>) : {};
  const range = readRowCell(fields.age);
  const fromRange = readAges(range);
  if (range !== '' && fromRange === undefined) return describeLeftOutCell('age', range, 'write 12-14 or 16+');
  const limits = {
    ageMin: fields.ageMin ?? nested.min ?? fromRange?.min,
    ageMax: fields.ageMax ?? nested.max ?? fromRange?.max,
  };
  const min = readCellNumber(limits, { name: 'ageMin', min: 0, max: 120 });
  const max = readCellNumber(limits, { name: 'ageMax', min: 0, max: 120 });
  if ((min.value ?? 0) > (max.value ?? 120))
    return describeLeftOutCell('ageMin', `${min.value}`, `ageMax is ${max.value}: write the lower age first`);
  const warning = min.warning ?? max.warning;
  return { value: { min: min.value, max: max.value }, ...(warning !== undefined && { warning }) };
}

/** Reads a number, which a unit may follow. */
function readCellNumber(
  fields: Fields,
  { name, min, max }: { readonly name: string; readonly min: number; readonly max: number },
): CellReading<number> {
  const text = readRowCell(fields[name]);
  if (text === '') return { value: undefined };
  const value = Number(text.replace(',', '.').replace(/\s*(?:°|ans|years?( old)?|jahre?|\+)$/i, ''));
  if (value >= min && value <= max) return { value };
  return describeLeftOutCell(name, text, `write a number from ${min} to ${max}`);
}

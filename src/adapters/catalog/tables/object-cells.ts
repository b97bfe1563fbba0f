import { learningObjectTypes } from '#domain/learning-object';
import { readLanguageCode } from '../language-code.ts';
import { type ObjectFields, readObjectType } from '../object-record.ts';
import { readMinutes } from '../quantities.ts';
import { readTableCell, readTableCellList, type SourceRow } from './row-reader.ts';

type Fields = SourceRow['fields'];
/** The value of a cell, or the reason why it cannot be used. Undefined for an empty cell. */
type Read<T> =
  | { readonly value: T | undefined }
  | { readonly value: T | undefined; readonly warning: string }
  | { readonly reason: string };

const LIST = /[|;]|\r?\n/;
const levels: ReadonlyMap<string, number> = new Map(
  Object.entries({
    beginner: -1,
    introductory: -1,
    novice: -1,
    débutant: -1,
    intermediate: 0,
    intermédiaire: 0,
    advanced: 1,
    expert: 1,
    avancé: 1,
  }),
);
const yes = new Set(['true', 'yes', 'y', '1', 'free', 'oui', 'gratuit']);
const no = new Set(['false', 'no', 'n', '0', 'paid', 'non', 'payant']);

type CellFields = Omit<ObjectFields, 'url' | 'title' | 'provider'>;

/** Reads the fields of a row in any common spelling.
 *  @param defaultLang of objects that name no language
 *  @returns the reasons why the row cannot be used, if any, and warnings about guesses and
 *  omissions */
export function readObjectCells(
  fields: Fields,
  defaultLang: string,
): {
  readonly cells: CellFields;
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
} {
  const reasons: string[] = [];
  const warnings: string[] = [];
  const take = <T>(read: Read<T>): T | undefined => {
    if ('warning' in read) warnings.push(read.warning);
    if ('value' in read) return read.value;
    reasons.push(read.reason);
    return undefined;
  };
  const cells: CellFields = {
    description: readTableCell(fields.description),
    types: take(typesOf(fields.type)),
    bloom: readTableCellList(fields.bloom, LIST),
    lang: take(langOf(readTableCell(fields.lang), defaultLang)),
    keywords: readTableCellList(fields.keywords, LIST),
    level: take(levelOf(readTableCell(fields.level).toLowerCase())),
    minutes: take(minutesOf(fields.learningTime)),
    publishers: readTableCellList(fields.publisher, LIST),
    authors: readTableCellList(fields.author, LIST),
    free: take(freeOf(fields.free)),
    popularity: take(numberOf(fields, { name: 'popularity', min: 0, max: 1 })),
    address: readTableCell(fields.address),
    location: take(locationOf(fields)),
    age: take(ageOf(fields)),
    picture: readTableCell(fields.picture),
    embed: readTableCell(fields.embed),
  };
  return { cells, reasons, warnings };
}

function typesOf(cell: unknown): Read<readonly string[]> {
  const types = readTableCellList(cell, LIST).map((type) => type.toLowerCase());
  const isOurs = (type: string) => (learningObjectTypes as readonly string[]).includes(type);
  const unknown = types.find((type) => !isOurs(type));
  if (unknown === undefined) return { value: types };
  const guessed = readObjectType([unknown]);
  const value = [...types.filter(isOurs), ...(guessed === undefined ? [] : [guessed])];
  const taken = value.length === 0 ? 'left out' : `taken as ${value.join(', ')}`;
  const warning = `type is "${unknown.slice(0, 40)}": ${taken}; our types are ${learningObjectTypes.join(', ')}`;
  return { value, warning };
}

function langOf(text: string, defaultLang: string): Read<string> {
  if (text === '') return { value: undefined };
  const value = readLanguageCode(text);
  return value === undefined
    ? {
        value: undefined,
        warning: `lang is "${text.slice(0, 40)}": taken as ${defaultLang}; write a two-letter code such as en`,
      }
    : { value };
}

/** Catalogues have their own names of levels; undefined for an unknown one, or for several. */
function levelOf(text: string): Read<number> {
  const number = Number(text.replace(',', '.'));
  if (text === '' || Number.isNaN(number)) return { value: levelInWords(text) };
  if (number >= -1 && number <= 1) return { value: number };
  return {
    reason: `level is "${text.slice(0, 40)}": write beginner, intermediate, advanced or a number from -1 to 1`,
  };
}

function levelInWords(text: string): number | undefined {
  const named = new Set((text.match(/\p{L}+/gu) ?? []).flatMap((word) => levels.get(word) ?? []));
  return named.size === 1 ? [...named][0] : undefined;
}

function minutesOf(cell: unknown): Read<number> {
  if (cell !== null && typeof cell === 'object') {
    const { value, unit } = cell as Record<string, unknown>;
    return minutesOf(`${readTableCell(value)} ${readTableCell(unit)}`);
  }
  const text = readTableCell(cell);
  if (text === '') return { value: undefined };
  const value = readMinutes(text);
  return value === null
    ? { reason: `learningTime is "${text.slice(0, 40)}": write 90 min, 1 h 30 or PT1H30M` }
    : { value };
}

function freeOf(cell: unknown): Read<boolean> {
  const text = typeof cell === 'boolean' ? String(cell) : readTableCell(cell).toLowerCase();
  if (text === '') return { value: undefined };
  if (yes.has(text)) return { value: true };
  return no.has(text) ? { value: false } : { reason: `free is "${text.slice(0, 40)}": write yes or no` };
}

function locationOf(fields: Fields): Read<{ lat: number; lon: number }> {
  const nested = fields.location;
  const both = typeof nested === 'object' && nested !== null ? { ...fields, ...nested } : fields;
  const lat = numberOf(both, { name: 'lat', min: -90, max: 90 });
  const lon = numberOf(both, { name: 'lon', min: -180, max: 180 });
  if ('reason' in lat) return lat;
  if ('reason' in lon) return lon;
  if (lat.value !== undefined && lon.value !== undefined)
    return { value: { lat: lat.value, lon: lon.value } };
  if (lat.value === lon.value) return { value: undefined };
  return { reason: 'lat and lon need each other: write both, in degrees' };
}

function ageOf(fields: Fields): Read<{ min?: number | undefined; max?: number | undefined }> {
  const nested =
    typeof fields.age === 'object' && fields.age !== null ? (fields.age as Record<string, unknown>) : {};
  const both = { ageMin: fields.ageMin ?? nested.min, ageMax: fields.ageMax ?? nested.max };
  const min = numberOf(both, { name: 'ageMin', min: 0, max: 120 });
  const max = numberOf(both, { name: 'ageMax', min: 0, max: 120 });
  if ('reason' in min) return min;
  if ('reason' in max) return max;
  if ((min.value ?? 0) <= (max.value ?? 120)) return { value: { min: min.value, max: max.value } };
  return { reason: `ageMin is ${min.value} and ageMax ${max.value}: write the lower age first` };
}

function numberOf(
  fields: Fields,
  { name, min, max }: { readonly name: string; readonly min: number; readonly max: number },
): Read<number> {
  const text = readTableCell(fields[name]);
  if (text === '') return { value: undefined };
  const value = Number(text.replace(',', '.'));
  if (value >= min && value <= max) return { value };
  return { reason: `${name} is "${text.slice(0, 40)}": write a number from ${min} to ${max}` };
}

import { countTypos } from '#domain/text';
import type { Problem } from '../errors.ts';
import type { FieldSchemas, ReadRequest, ValueSchema } from './parse.ts';

export const IMPORTANT = '!important';

interface ReadQuery extends ReadRequest {
  /** Texts as written, for the echo; a list for a parameter that may be repeated. */
  readonly written: Readonly<Record<string, string | readonly string[]>>;
  /** Parameters whose value ended in `!important`. */
  readonly important: ReadonlySet<string>;
}

interface ReadQueryOptions {
  /** Whether a value may end in `!important`; false by default. */
  readonly readsImportant?: boolean;
}

/** Numbers of bounded length without exponents and prefixes (`1e5`, `0x10`). */
const NUMBER = /^-?\d{1,9}(?:\.\d{1,20})?$/;
const MAX_DECIMALS = 20;

/** Reads a query string. Values are typed where the text allows; empty ones are dropped.
 *  @param raw the query string without `?`
 *  @param fields JSON Schema by name; one of type `array` may be repeated */
export function readQuery(raw: string, fields: FieldSchemas, options: ReadQueryOptions = {}): ReadQuery {
  const { textsByName, problems } = readQueryPairs(raw, fields);
  const values: Record<string, unknown> = {};
  const written: Record<string, string | readonly string[]> = {};
  const important = new Set<string>();
  for (const [name, texts] of textsByName) {
    const field = fields[name];
    const isList = field?.type === 'array';
    if (!isList && texts.length > 1) {
      problems.push({ path: name, problem: 'is given more than once; give it once' });
      continue;
    }
    const plainOf = (text: string) => (options.readsImportant ? removeQueryMark(text) : text);
    const filledTexts = texts.filter((text) => plainOf(text) !== '');
    const [first] = filledTexts;
    if (first === undefined) continue;
    values[name] = isList ? filledTexts.map(plainOf) : toQuerySchemaType(plainOf(first), field);
    written[name] = isList ? filledTexts : first;
    if (filledTexts.some((text) => plainOf(text) !== text)) important.add(name);
  }
  return { values, written, important, problems };
}

function readQueryPairs(
  raw: string,
  fields: FieldSchemas,
): { textsByName: ReadonlyMap<string, readonly string[]>; problems: Problem[] } {
  const textsByName = new Map<string, string[]>();
  const problems: Problem[] = [];
  for (const pair of raw.split('&').filter((text) => text !== '')) {
    const equals = pair.indexOf('=');
    const name = decodeQueryComponent(equals < 0 ? pair : pair.slice(0, equals));
    const value = decodeQueryComponent(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === null || value === null) {
      const path = name === null || name.includes(NUL) ? 'query' : name;
      problems.push({ path, problem: 'is not valid percent-encoded UTF-8' });
      continue;
    }
    const problem = findNulProblem(name, value) ?? findQueryNameProblem(name, fields);
    if (problem !== null) problems.push(problem);
    else if (Object.hasOwn(fields, name)) {
      const texts = textsByName.get(name);
      if (texts === undefined) textsByName.set(name, [value.trim()]);
      else texts.push(value.trim());
    }
  }
  return { textsByName, problems };
}

function findNulProblem(name: string, value: string): Problem | null {
  if (name.includes(NUL)) return { path: 'query', problem: 'contains a NUL character' };
  return value.includes(NUL) ? { path: name, problem: 'contains a NUL character' } : null;
}

function decodeQueryComponent(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

const removeQueryMark = (text: string): string =>
  text.endsWith(IMPORTANT) ? text.slice(0, -IMPORTANT.length).trim() : text;

/** Booleans as programming languages and spreadsheets write them. */
const TRUE = /^(?:true|yes|1)$/i;
const BOOLEAN = /^(?:true|yes|1|false|no|0)$/i;

/** Converts a text that matches the type; the schema reports any other. */
function toQuerySchemaType(text: string, { type }: ValueSchema = {}): unknown {
  if (type === 'boolean' && BOOLEAN.test(text)) return TRUE.test(text);
  // Adding 0 turns -0 into 0.
  if ((type === 'integer' || type === 'number') && NUMBER.test(text)) return Number(text) + 0;
  return text;
}

/** Writes a query string without absent and empty values. */
export function writeQuery(
  parameters: Iterable<readonly [name: string, value: string | number | boolean | undefined]>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of parameters) {
    if (value !== undefined && value !== '')
      query.append(name, typeof value === 'number' ? writeQueryNumber(value) : String(value));
  }
  return query.toString();
}

/** Writes `0.0000001`, where JavaScript would write `1e-7`. */
function writeQueryNumber(value: number): string {
  const text = String(value);
  return NUMBER.test(text) ? text : value.toFixed(MAX_DECIMALS);
}

const NUL = '\u0000';
const MIN_LENGTH = 3;

/** Names that have a meaning in JavaScript objects; nobody sends them by mistake. */
const PROTOTYPE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Finds misspelt and nested fields. Unknown names, such as tracking parameters, are ignored. */
function findQueryNameProblem(name: string, fields: FieldSchemas): Problem | null {
  if (Object.hasOwn(fields, name)) return null;
  const steps = name.split(/[[\].]+/);
  if (steps.some((step) => PROTOTYPE_NAMES.has(step)))
    return { path: name, problem: 'is not a name that can be used here' };
  const [base = ''] = steps;
  if (Object.hasOwn(fields, base)) return { path: name, problem: `cannot be nested; give ${base} a plain value` };
  const intended = Object.keys(fields).find((field) => isQueryNameNearMiss(base, field));
  return intended === undefined ? null : { path: name, problem: `is not a parameter; is ${intended} meant?` };
}

/** Compares names without case, allowing for one letter missing, added, changed or swapped. */
export function isQueryNameNearMiss(writtenName: string, field: string): boolean {
  const a = writtenName.toLowerCase();
  const b = field.toLowerCase();
  if (a === b) return true;
  const isShort = Math.min(a.length, b.length) < MIN_LENGTH;
  return !isShort && Math.abs(a.length - b.length) <= 1 && countTypos(a, b) <= 1;
}

/** Reads a JSON body without null and empty values, as in a query. */
export function readQueryBody(body: unknown, fields: FieldSchemas): ReadRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { values: {}, problems: [{ path: 'body', problem: 'must be a JSON object' }] };
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const problem = findQueryNameProblem(name, fields);
    if (problem !== null) problems.push(problem);
    else if (typeof value === 'string' && value.includes(NUL))
      problems.push({ path: name, problem: 'contains a NUL character' });
    else if (Object.hasOwn(fields, name) && value !== null && value !== '') values[name] = value;
  }
  return { values, problems };
}

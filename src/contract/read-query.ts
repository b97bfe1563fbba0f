import type { Problem } from '#errors';
import type { FieldSchemas, ReadRequest, ValueSchema } from './parse.ts';
import { findNameProblem, NUL } from './read-body.ts';

export const IMPORTANT = '!important';

/** Values are typed where the text allows; empty ones are left out. */
export interface ReadQuery extends ReadRequest {
  /** The values as they were written, for the echo; a list for a parameter that may be repeated. */
  readonly written: Readonly<Record<string, string | readonly string[]>>;
  /** Names of the parameters whose value ended in `!important`. */
  readonly important: ReadonlySet<string>;
}

export interface ReadQueryOptions {
  /** Whether a value may end in `!important`; false by default. */
  readonly readsImportant?: boolean;
}

/** Longer whole numbers have no use here, and neither have `1e5`, `0x10` or `NaN`; a third has many decimals, though. */
const NUMBER = /^-?\d{1,9}(?:\.\d{1,20})?$/;
const MAX_DECIMALS = 20;

/** Read a query string by the fields it may have.
 *  @param raw what follows the `?`
 *  @param fields JSON Schema by name; one of type `array` may be repeated */
export function readQuery(raw: string, fields: FieldSchemas, options: ReadQueryOptions = {}): ReadQuery {
  const { textsByName, problems } = readPairs(raw, fields);
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
    const plainOf = (text: string) => (options.readsImportant ? withoutImportant(text) : text);
    const given = texts.filter((text) => plainOf(text) !== '');
    const [first] = given;
    if (first === undefined) continue;
    values[name] = isList ? given.map(plainOf) : typed(plainOf(first), field);
    written[name] = isList ? given : first;
    if (given.some((text) => plainOf(text) !== text)) important.add(name);
  }
  return { values, written, important, problems };
}

/** The values of every known name, trimmed, in the order given. */
function readPairs(
  raw: string,
  fields: FieldSchemas,
): { textsByName: ReadonlyMap<string, readonly string[]>; problems: Problem[] } {
  const textsByName = new Map<string, string[]>();
  const problems: Problem[] = [];
  for (const pair of raw.split('&').filter((text) => text !== '')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === null || value === null) {
      const path = name === null || name.includes(NUL) ? 'query' : name;
      problems.push({ path, problem: 'is not valid percent-encoded UTF-8' });
      continue;
    }
    const problem = findNulProblem(name, value) ?? findNameProblem(name, fields);
    if (problem !== null) problems.push(problem);
    else if (Object.hasOwn(fields, name)) {
      const texts = textsByName.get(name);
      if (texts === undefined) textsByName.set(name, [value.trim()]);
      else texts.push(value.trim());
    }
  }
  return { textsByName, problems };
}

/** Whether the name is known or not. */
function findNulProblem(name: string, value: string): Problem | null {
  if (name.includes(NUL)) return { path: 'query', problem: 'contains a NUL character' };
  return value.includes(NUL) ? { path: name, problem: 'contains a NUL character' } : null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function withoutImportant(text: string): string {
  return text.endsWith(IMPORTANT) ? text.slice(0, -IMPORTANT.length).trim() : text;
}

/** A text that does not look like the wanted type stays a text, and the schema then says what was wanted. */
function typed(text: string, { type }: ValueSchema = {}): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  // Adding 0 makes 0 of -0.
  if ((type === 'integer' || type === 'number') && NUMBER.test(text)) return Number(text) + 0;
  return text;
}

/** The query string of these parameters; absent and empty ones are left out. */
export function writeQuery(
  parameters: Iterable<readonly [name: string, value: string | number | boolean | undefined]>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of parameters) {
    if (value !== undefined && value !== '')
      query.append(name, typeof value === 'number' ? plain(value) : String(value));
  }
  return query.toString();
}

/** `0.0000001`, where JavaScript would write `1e-7`. */
function plain(value: number): string {
  const text = String(value);
  return NUMBER.test(text) ? text : value.toFixed(MAX_DECIMALS);
}

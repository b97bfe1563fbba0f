import type { Problem } from '../errors.ts';
import type { ValueSchema } from './describe-schema.ts';
import { isNearMiss } from './near-miss.ts';

export const IMPORTANT = '!important';

export interface ReadQuery {
  /** Typed where the text allows; empty values are left out. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The values as they were written, for the echo. */
  readonly written: Readonly<Record<string, string>>;
  /** Names of the parameters whose value ended in `!important`. */
  readonly important: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

const NUMBER = /^-?\d{1,9}(?:\.\d{1,9})?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are just what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Read a query string by the fields it may have. Nesting (`a[b]=c`) means nothing here: such a name is merely unknown.
 *  Unknown names are ignored, because addresses pick up tracking parameters; one that looks like a misspelt parameter is a
 *  problem, because it would silently do nothing.
 *  @param raw what follows the `?`
 *  @param fields JSON Schema by name; one of type `array` may be repeated */
export function readQuery(raw: string, fields: Readonly<Record<string, ValueSchema>>): ReadQuery {
  const values: Record<string, unknown> = {};
  const written: Record<string, string> = {};
  const important = new Set<string>();
  const problems: Problem[] = [];
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const [name, text] = decodePair(pair);
    if (name === null || text === null) {
      problems.push({ path: name ?? 'query', problem: 'is not valid percent-encoded UTF-8' });
      continue;
    }
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      const meant = Object.keys(fields).find((known) => isNearMiss(name, known));
      if (meant !== undefined)
        problems.push({ path: name, problem: `is not a parameter; is ${meant} meant?` });
      continue;
    }
    const value = text.trim();
    if (value === '') continue;
    if (CONTROL.test(value)) {
      problems.push({ path: name, problem: 'contains control characters' });
      continue;
    }
    const isImportant = value.endsWith(IMPORTANT);
    if (isImportant) important.add(name);
    const plain = isImportant ? value.slice(0, -IMPORTANT.length).trim() : value;
    if (plain === '') continue;
    if (field.type === 'array') {
      values[name] = [...((values[name] as unknown[] | undefined) ?? []), plain];
    } else if (Object.hasOwn(values, name)) {
      problems.push({ path: name, problem: 'is given more than once; give it once' });
    } else {
      values[name] = typed(plain, field);
      written[name] = value;
    }
  }
  return { values, written, important, problems };
}

function decodePair(pair: string): [name: string | null, value: string | null] {
  const [name = '', ...rest] = pair.split('=');
  return [decode(name), decode(rest.join('='))];
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** A text that does not look like the wanted type stays a text, and the schema then says what was wanted. */
function typed(text: string, { type }: ValueSchema): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if ((type === 'integer' || type === 'number') && NUMBER.test(text)) return Number(text);
  return text;
}

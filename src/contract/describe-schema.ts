/** The part of a JSON Schema that says what a single value may be. */
export interface ValueSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly 'x-skilldock-extension'?: true;
  readonly items?: ValueSchema;
  readonly maxItems?: number;
}

/** What a value must be, in words for an error: `a whole number from 1 to 20`. */
export function describeSchema(schema: ValueSchema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'array' && schema.items !== undefined)
    return `at most ${schema.maxItems} values, each ${describeSchema(schema.items)}`;
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'integer') return `a whole number${describeRange(schema)}`;
  if (schema.type === 'number') return `a number${describeRange(schema)}`;
  if (schema.format === 'email') return 'an e-mail address';
  if (schema.format === 'uri') return 'an address such as https://example.org/page';
  if (schema.pattern === LANGUAGE_PATTERN) return 'a two-letter language code such as en or fr';
  return `a text${describeLength(schema)}`;
}

export const LANGUAGE_PATTERN = '^[a-z]{2}$';

/** What headers carry unchanged everywhere. */
export const PRINTABLE_PATTERN = '^[\\x20-\\x7e]*$';

function describeRange({ minimum, maximum }: ValueSchema): string {
  return minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`;
}

function describeLength({ minLength = 0, maxLength, pattern }: ValueSchema): string {
  const kind = pattern === PRINTABLE_PATTERN ? 'printable ASCII characters' : 'characters';
  return maxLength === undefined ? '' : ` of ${minLength} to ${maxLength.toLocaleString('en')} ${kind}`;
}

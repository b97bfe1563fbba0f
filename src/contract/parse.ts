import { z } from 'zod';
import { AppError, type Problem } from '../errors.ts';

export type ValueSchema = z.core.JSONSchema.BaseSchema;
export type FieldSchemas = Readonly<Record<string, ValueSchema>>;
export const LANGUAGE_PATTERN = '^[a-z]{2}$';

/** Characters that headers carry unchanged everywhere. */
export const PRINTABLE_PATTERN = '^[\\x20-\\x7e]*$';

export function listFieldSchemas(schema: z.ZodType): FieldSchemas {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as { properties?: FieldSchemas };
  return properties;
}

export interface ReadRequest {
  readonly values: Readonly<Record<string, unknown>>;
  /** Problems that were noticed while reading, such as a repeated parameter. */
  readonly problems: readonly Problem[];
}

/** Checks a request by its schema. Errors: PARAMETERS_INVALID with all problems at once.
 *  @param findPairProblems problems between values; called only with values that are valid alone */
export function parseRequest<T>(
  schema: z.ZodType<T>,
  { values, problems }: ReadRequest,
  findPairProblems: (values: ReadRequest['values']) => readonly Problem[] = () => [],
): T {
  const parsed = schema.safeParse(values);
  if (parsed.success && problems.length === 0 && findPairProblems(values).length === 0) return parsed.data;
  const fieldProblems = [...problems, ...(parsed.success ? [] : toParseProblems(parsed.error, schema, values))];
  const wrongNames = new Set(fieldProblems.map(({ path }) => path));
  const validValues = Object.fromEntries(Object.entries(values).filter(([name]) => !wrongNames.has(name)));
  const all = keepFirstProblems([...fieldProblems, ...findPairProblems(validValues)]);
  const names = all.map(({ path }) => path).join(', ');
  throw new AppError(
    'PARAMETERS_INVALID',
    `The request cannot be answered because of ${names}. Correct what is listed.`,
    { problems: all },
  );
}

/** Describes the issues, each of which belongs to one of the fields. */
function toParseProblems({ issues }: z.ZodError, schema: z.ZodType, values: object): Problem[] {
  const fields = listFieldSchemas(schema);
  return issues.map(({ path: [name] }) => {
    const path = String(name);
    const verb = Object.hasOwn(values, path) ? 'must be' : 'is required:';
    return { path, problem: `${verb} ${describeSchema(fields[path] ?? {})}` };
  });
}

/** Keeps the first problem of each path, from which the others follow. */
function keepFirstProblems(problems: readonly Problem[]): Problem[] {
  const byPath = new Map<string, Problem>();
  for (const problem of problems) if (!byPath.has(problem.path)) byPath.set(problem.path, problem);
  return [...byPath.values()];
}

/** Checks an answer by its schema. Fields with null count as absent. Errors: RESPONSE_INVALID. */
export function parseResponse<T>(operation: string, schema: z.ZodType<T>, body: unknown): T {
  const parsed = isTooMuchToParse(body) ? null : schema.safeParse(dropNulls(body));
  if (parsed?.success) return parsed.data;
  const problems = (parsed?.error.issues ?? []).slice(0, MAX_PROBLEMS).map(({ path, message }) => ({
    path: path.join('.') || 'body',
    problem: message,
  }));
  if (parsed === null) problems.push(tooMuch);
  throw new AppError(
    'RESPONSE_INVALID',
    `The service's answer to ${operation} does not follow its specification at ${problems[0]?.path ?? 'body'}. Its operator has to look at it.`,
    { problems },
  );
}

const MAX_PROBLEMS = 100;
const tooMuch: Problem = { path: 'body', problem: 'has more than 10,000 objects or 100,000 values' };

/** Checking heavier lists would block the host for a second. */
const MAX_WEIGHT = 100_000;
const OBJECT_WEIGHT = 10;

/** Returns whether lists of an answer have more than 10,000 objects or 100,000 values. */
function isTooMuchToParse(body: unknown): boolean {
  let weight = 0;
  const walk = (value: unknown, depth: number): boolean => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
    const values: unknown[] = Object.values(value);
    if (Array.isArray(value)) weight += values.length * (typeof values[0] === 'object' ? OBJECT_WEIGHT : 1);
    return weight > MAX_WEIGHT || values.some((item) => walk(item, depth + 1));
  };
  return walk(body, 0);
}

/** No specified field is nested deeper; others are passed on unchanged. */
const MAX_DEPTH = 8;

function dropNulls(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => dropNulls(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, dropNulls(field, depth + 1)]),
  );
}

function describeSchema(schema: ValueSchema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'array')
    return `at most ${schema.maxItems} values, each ${describeSchema(schema.items as ValueSchema)}`;
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'integer') return `a whole number${describeRange(schema)}`;
  if (schema.type === 'number') return `a number${describeRange(schema)}`;
  if (schema.format === 'email') return 'an e-mail address';
  if (schema.format === 'uri') return 'an address such as https://example.org/page';
  if (schema.pattern === LANGUAGE_PATTERN) return 'a two-letter language code such as en or fr';
  return `a text${describeLength(schema)}`;
}

const describeRange = ({ minimum, maximum }: ValueSchema): string =>
  minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`;

function describeLength({ minLength = 0, maxLength, pattern }: ValueSchema): string {
  const kind = pattern === PRINTABLE_PATTERN ? 'printable ASCII characters' : 'characters';
  return maxLength === undefined ? '' : ` of ${minLength} to ${maxLength.toLocaleString('en')} ${kind}`;
}

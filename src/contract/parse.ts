import { z } from 'zod';
import { AppError, type Problem } from '../errors.ts';
import { describeSchema, type ValueSchema } from './describe-schema.ts';

export type Fields = Readonly<Record<string, z.ZodType>>;

/** The JSON Schema of each field as a caller writes it. */
export function fieldSchemas(schema: z.ZodType): Readonly<Record<string, ValueSchema>> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as {
    properties?: Record<string, ValueSchema>;
  };
  return properties;
}

/** Check what a caller sent. Errors: PARAMETERS_INVALID with every problem at once.
 *  @param problems what was found before, such as a value given twice */
export function parseRequest<T>(schema: z.ZodType<T>, input: unknown, problems: readonly Problem[] = []): T {
  const parsed = schema.safeParse(input);
  if (parsed.success && problems.length === 0) return parsed.data;
  const fields = fieldSchemas(schema);
  const found = parsed.success ? [] : parsed.error.issues.map((issue) => toProblem(issue, fields, input));
  const known = new Set(problems.map(({ path }) => path));
  const all = [...problems, ...found.filter(({ path }) => !known.has(path))];
  const names = [...new Set(all.map(({ path }) => path))].join(', ');
  throw new AppError(
    'PARAMETERS_INVALID',
    `The request cannot be answered because of ${names}. Correct what is listed.`,
    {
      problems: all,
    },
  );
}

function toProblem(
  issue: z.core.$ZodIssue,
  fields: Readonly<Record<string, ValueSchema>>,
  input: unknown,
): Problem {
  const [name] = issue.path;
  const path = issue.path.join('.') || 'body';
  const field = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (issue.code === 'custom' || field === undefined) return { path, problem: issue.message };
  const isMissing = !(typeof input === 'object' && input !== null && Object.hasOwn(input, name as string));
  return { path, problem: `${isMissing ? 'is required:' : 'must be'} ${describeSchema(field)}` };
}

/** Check what a service answered. Fields that are null count as absent; unknown fields are let through.
 *  Errors: RESPONSE_INVALID, naming the first path that does not fit. */
export function parseResponse<T>(operation: string, schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(withoutNulls(body));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: path.join('.') || 'body',
    problem: message,
  }));
  throw new AppError(
    'RESPONSE_INVALID',
    `The service's answer to ${operation} does not follow its specification at ${problems[0]!.path}. Its operator has to look at it.`,
    { problems },
  );
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, withoutNulls(field)]),
  );
}

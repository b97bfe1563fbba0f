import type { z } from 'zod';
import { dropNulls, isTooMuch, tooMuch } from './parse.ts';

/** One place of an answer that does not fit its schema. */
export interface Misfit {
  /** Names and indexes, from the body on. */
  readonly path: readonly PropertyKey[];
  /** What should be there: `expected boolean`, `must begin with A00-, B00- or C00-`. */
  readonly rule: string;
  /** What is there instead; undefined where nothing is. */
  readonly found: unknown;
  /** Whether the specification does not forbid it: a null where a field may be absent, or a limit of ours. */
  readonly isUnspecified: boolean;
}

/** Everything in an answer that is not as the schema has it, in the order of the schema. */
export function findMisfits(schema: z.ZodType, body: unknown): readonly Misfit[] {
  if (isTooMuch(body))
    return [{ path: [], rule: `not so much: it ${tooMuch.problem}`, found: undefined, isUnspecified: true }];
  const remaining = new Set(findIssues(schema, dropNulls(body)).map(({ path }) => path.join('\n')));
  return findIssues(schema, body).map((issue) => {
    const found = findValueAt(body, issue.path);
    const isNullOfOptional = found === null && !remaining.has(issue.path.join('\n'));
    return {
      path: issue.path,
      rule: describeRule(issue),
      found,
      isUnspecified: isNullOfOptional || issue.code === 'too_big',
    };
  });
}

type Issue = z.core.$ZodIssue;

function findIssues(schema: z.ZodType, body: unknown): readonly Issue[] {
  return schema.safeParse(body).error?.issues ?? [];
}

function findValueAt(body: unknown, path: Issue['path']): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | undefined)?.[step], body);
}

function describeRule(issue: Issue): string {
  if (issue.code === 'invalid_type')
    return `expected ${issue.expected === 'int' ? 'integer' : issue.expected}`;
  if (issue.code === 'invalid_value') return `expected one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_format' && issue.format === 'url') return 'expected an http or https address';
  return issue.message;
}

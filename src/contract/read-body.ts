import type { Problem } from '#errors';
import type { FieldSchemas, ReadRequest } from './parse.ts';

export const NUL = '\u0000';

/** Shorter names are too similar to too many words. */
const MIN_LENGTH = 3;

/** Names that mean something to JavaScript objects; nobody sends them by mistake. */
const PROTOTYPE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** What is wrong with a name, or null. Unknown names are ignored, because addresses pick up tracking
 *  parameters; one that looks like a misspelt or nested field is a problem, because it would silently do nothing. */
export function findNameProblem(name: string, fields: FieldSchemas): Problem | null {
  if (Object.hasOwn(fields, name)) return null;
  const steps = name.split(/[[\].]+/);
  if (steps.some((step) => PROTOTYPE_NAMES.has(step)))
    return { path: name, problem: 'is not a name that can be used here' };
  const [base = ''] = steps;
  if (Object.hasOwn(fields, base))
    return { path: name, problem: `cannot be nested; give ${base} a plain value` };
  const meant = Object.keys(fields).find((known) => isFieldNearMiss(base, known));
  return meant === undefined ? null : { path: name, problem: `is not a parameter; is ${meant} meant?` };
}

/** Whether two parameter names differ by case, or by one letter: left out, added, changed, or swapped with its neighbour. */
export function isFieldNearMiss(given: string, known: string): boolean {
  const a = given.toLowerCase();
  const b = known.toLowerCase();
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < MIN_LENGTH) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB || restB.slice(1) === restA || restA.slice(1) === restB.slice(1)) return true;
  return restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0];
}

/** Read the parsed JSON of a request by the fields it may have; those that are null or empty are left out, as in a query
 *  string. */
export function readBody(body: unknown, fields: FieldSchemas): ReadRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { values: {}, problems: [{ path: 'body', problem: 'must be a JSON object' }] };
  }
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const problem = findNameProblem(name, fields);
    if (problem !== null) problems.push(problem);
    else if (typeof value === 'string' && value.includes(NUL))
      problems.push({ path: name, problem: 'contains a NUL character' });
    else if (Object.hasOwn(fields, name) && value !== null && value !== '') values[name] = value;
  }
  return { values, problems };
}

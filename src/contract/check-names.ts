import type { Problem } from '../errors.ts';
import type { ValueSchema } from './describe-schema.ts';
import { isNearMiss } from './near-miss.ts';

/** JSON Schema of each field by its name. */
export type FieldSchemas = Readonly<Record<string, ValueSchema>>;

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
  const meant = Object.keys(fields).find((known) => isNearMiss(base, known));
  return meant === undefined ? null : { path: name, problem: `is not a parameter; is ${meant} meant?` };
}

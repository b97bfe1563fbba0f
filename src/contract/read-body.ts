import type { Problem } from '../errors.ts';
import { type FieldSchemas, findNameProblem } from './check-names.ts';
import type { ReadRequest } from './parse.ts';
import { NUL } from './query-string.ts';

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

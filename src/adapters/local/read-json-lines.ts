import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { AppError, type Problem } from '../../errors.ts';

const MAX_PROBLEMS = 20;

/** The records of a JSON Lines file, in order. Errors: CATALOG_INVALID with up to 20 problems, each naming its line. */
export function readJsonLines<T>(path: string, schema: z.ZodType<T>): T[] {
  const records: T[] = [];
  const problems: Problem[] = [];
  for (const [i, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    if (problems.length >= MAX_PROBLEMS) break;
    const parsed = schema.safeParse(parseLine(line));
    if (parsed.success) records.push(parsed.data);
    else {
      const { path: field = [], message = '' } = parsed.error.issues[0] ?? {};
      problems.push({ path: `${path}:${i + 1}`, problem: `${field.join('.') || 'record'}: ${message}` });
    }
  }
  if (problems.length > 0) {
    throw new AppError(
      'CATALOG_INVALID',
      `${path} has records that cannot be used. Correct the lines named.`,
      { problems },
    );
  }
  return records;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

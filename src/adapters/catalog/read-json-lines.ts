import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { AppError, type Problem } from '#errors';

const MAX_PROBLEMS = 20;

/** Records of JSON Lines. Errors: CATALOG_INVALID with up to 20 problems, each with its line. */
export function readJsonLines<T>(path: string, schema: z.ZodType<T>): T[] {
  const records: T[] = [];
  const problems: Problem[] = [];
  for (const [i, line] of readText(path).split('\n').entries()) {
    if (line.trim() === '') continue;
    if (problems.length >= MAX_PROBLEMS) break;
    const record = parseLine(line);
    const parsed = schema.safeParse(record);
    if (parsed.success) records.push(parsed.data);
    else {
      const problem = record === undefined ? 'is not JSON' : firstIssue(parsed.error);
      problems.push({ path: `${path}:${i + 1}`, problem });
    }
  }
  if (problems.length > 0) {
    throw new AppError('CATALOG_INVALID', `${path} has records that cannot be used. Correct the lines named.`, {
      problems,
    });
  }
  return records;
}

const readText = (path: string): string => readOrExplain(path, () => readFileSync(path, 'utf8'));

/** Errors: CATALOG_INVALID where a file or folder of the catalogue cannot be read. */
export function readOrExplain<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new AppError('CATALOG_INVALID', `The catalogue at ${path} cannot be read. Check that it is there.`, {
      cause,
      problems: [{ path, problem: `cannot be read (${code})` }],
    });
  }
}

function firstIssue({ issues }: z.ZodError): string {
  const { path = [], message = '' } = issues[0] ?? {};
  return `${path.join('.') || 'record'}: ${message}`;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

import { errorResponse } from '../../contract/index.ts';
import type { Problem } from '../../errors.ts';
import { toLine } from './explain.ts';

/** What a Skilldock says of an error, where one answers. */
export interface OurError {
  readonly code: string;
  readonly problems: readonly Problem[];
}

/** Null where the body is no error of a Skilldock. */
export function readOurError(body: unknown, key: string | undefined): OurError | null {
  const parsed = errorResponse.safeParse(body);
  if (!parsed.success) return null;
  const { code, details = [] } = parsed.data;
  const clean = (text: string) => toLine(text, key) ?? '';
  return {
    code: clean(code),
    problems: details
      .slice(0, MAX_PROBLEMS)
      .map(({ path, problem }) => ({ path: clean(path), problem: clean(problem) })),
  };
}

const MAX_PROBLEMS = 50;

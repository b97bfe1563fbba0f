import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { LearningObjectQuery } from '../../src/domain/learning-object-query.ts';

const code = z.string().length(2);

const judgedQuery = z.strictObject({
  query: z.string().min(1),
  /** Language that is asked for. */
  lang: code.optional(),
  /** Language the query is written in; that of `lang` where absent. */
  in: code.optional(),
  filters: z
    .strictObject({
      providers: z.array(z.string()),
      types: z.array(z.string()),
      blooms: z.array(z.string()),
      publisher: z.string(),
      learningTimeMin: z.number(),
      learningTimeMax: z.number(),
      levelMin: z.number(),
      levelMax: z.number(),
      popularityMin: z.number(),
      free: z.boolean(),
    })
    .partial()
    .optional(),
  kinds: z.array(z.enum(['typo', 'question'])).default([]),
  split: z.enum(['tune', 'test']).default('tune'),
  /** Grades, 0 to 3, by the address of the object. */
  judgments: z.record(z.string(), z.int().min(0).max(3)),
});

/** A query and what its answers are worth. See bench/judgments/README.md. */
export type JudgedQuery = z.infer<typeof judgedQuery>;

/** Read a file of judgments, or all of a folder. */
export function readJudgments(path: string): JudgedQuery[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
        .map((name) => join(path, name))
    : [path];
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => judgedQuery.parse(JSON.parse(line))),
  );
}

/** From this grade on an object is an answer, for measures that know only yes and no. */
export const RELEVANT = 2;
/** Answers that two searches share, of all that either has; from this share on they ask for the same. */
const TWIN_SHARE = 0.6;

/** Of the searches that are held out, those that ask for nothing that a tuned one asks for: what is chosen for a search also
 *  helps its twins. */
export function withoutTwins(queries: readonly JudgedQuery[]): JudgedQuery[] {
  const tuned = queries.filter(({ split }) => split === 'tune').map(answersOf);
  return queries.filter((query) => {
    const answers = answersOf(query);
    return query.split === 'test' && tuned.every((others) => shareOf(answers, others) < TWIN_SHARE);
  });
}

function answersOf({ judgments }: JudgedQuery): ReadonlySet<string> {
  return new Set(
    Object.entries(judgments)
      .filter(([, grade]) => grade >= RELEVANT)
      .map(([url]) => url),
  );
}

/** Jaccard's: common ones of all; 0 where neither has any. */
function shareOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const common = [...some].filter((one) => others.has(one)).length;
  return common === 0 ? 0 : common / (some.size + others.size - common);
}

/** The search that a judged query stands for: as a new tenant's people search, ten to a page. */
export function toSearch({ query, lang, filters }: JudgedQuery): LearningObjectQuery {
  const given = Object.fromEntries(
    Object.entries(filters ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<LearningObjectQuery>;
  return {
    keywords: query,
    providers: [],
    types: [],
    blooms: [],
    sort: 'popularity',
    match: 'best-effort',
    model: 'extended',
    max: 10,
    page: 0,
    important: new Set(),
    ...(lang !== undefined && { lang }),
    ...given,
  };
}

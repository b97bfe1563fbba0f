import { setImmediate } from 'node:timers/promises';
import { normalizeObjectAddress } from '#domain/learning-object';
import type { UsageMetric } from '#domain/tenant';
import { AppError, type ErrorCode } from '#errors';
import type { CallOptions } from '#ports/learning-service';
import { makeStoppable } from '../signals.ts';
import type { TenantAnswers } from '../tenant-answers.ts';
import { type AgreesWithWeek, createPlanAgreement } from './plan-agreement.ts';
import { findPlanSkills, type PlanEvent, type PlannedSkill, type PlanRequest } from './plan-skills.ts';
import type { FoundObject } from './results.ts';
import type { SearchLearningObjects } from './search.ts';

interface Running {
  /** How many run at the same time. */
  readonly atOnce: number;
  /** Once aborted, no more jobs are begun, and running ones are not waited for. */
  readonly signal: AbortSignal;
}

export interface PlanDeps {
  readonly answers: TenantAnswers;
  readonly search: SearchLearningObjects;
  count(metric: UsageMetric): void;
}

type ObjectsOrFailed = Extract<PlanEvent, { kind: 'objects' | 'failed' }>;

interface Searched {
  readonly skill: PlannedSkill;
  /** What was found, or why nothing could be. */
  readonly items: readonly FoundObject[] | Error;
}

const SEARCHES_AT_ONCE = 3;
/** The most that a page can have: many are left out, as they do not agree with the week, or as another skill has them. */
const ASKED_FOR = 20;

export function planFromText(
  deps: PlanDeps,
  request: PlanRequest,
  options: CallOptions = {},
): AsyncIterable<PlanEvent> {
  return makeStoppable((signal) => makePlan(deps, request, signal), options.signal);
}

async function* makePlan(
  deps: PlanDeps,
  request: PlanRequest,
  signal: AbortSignal,
): AsyncGenerator<PlanEvent, void, undefined> {
  signal.throwIfAborted();
  const found = await findPlanSkills(deps.answers, request, { signal });
  const { skills, weeks, lang, isLangDetected, isOwnEngine } = found;
  const query = { ...found.searchDefaults, ...request.query };
  yield { kind: 'skills', skills, ...(weeks && { weeks }), lang, isLangDetected };
  const isLangAsked = isLangDetected && request.query.lang === undefined;
  const agrees =
    request.isSyllabus && isOwnEngine
      ? createPlanAgreement(deps.answers, { lang, isLangAsked, query, skills }, { signal })
      : async () => true;
  if (skills.length > 0) yield* searchForSkills(deps, { ...request, query, skills, agrees }, signal);
  yield { kind: 'done' };
}

interface SkillSearches extends Pick<PlanRequest, 'query' | 'perSkill'> {
  readonly skills: readonly PlannedSkill[];
  readonly agrees: AgreesWithWeek;
}

/** Counted as one search. */
async function* searchForSkills(
  { search, count }: PlanDeps,
  { skills, query, perSkill, agrees }: SkillSearches,
  signal: AbortSignal,
): AsyncGenerator<PlanEvent, void, undefined> {
  count('searches');
  const find = (skill: PlannedSkill): Promise<Searched> =>
    search({ ...query, keywords: skill.label, page: 0, max: ASKED_FOR }, { signal }).then(
      ({ items }) => ({ skill, items }),
      (error: Error) => ({ skill, items: error }),
    );
  const given = new Set<string>();
  let isComplete = true;
  for await (const searched of runPlanJobs(skills, find, { atOnce: SEARCHES_AT_ONCE, signal })) {
    const event = await takeFitting(searched, { agrees, given, max: perSkill });
    signal.throwIfAborted();
    if (event.kind === 'failed') isComplete = false;
    yield event;
  }
  if (isComplete && given.size === 0) count('zero-result-searches');
}

interface Taking {
  readonly agrees: AgreesWithWeek;
  /** Addresses that other skills have. */
  readonly given: Set<string>;
  readonly max: number;
}

/** The first few items that fit, agree, and were not given before; they are remembered as given. */
async function takeFitting(
  { skill, items }: Searched,
  { agrees, given, max }: Taking,
): Promise<ObjectsOrFailed> {
  const { label } = skill;
  if (items instanceof Error) return { kind: 'failed', skill: label, code: findCode(items) };
  const taken: FoundObject[] = [];
  try {
    for (const item of items) {
      const address = normalizeObjectAddress(item.object.url);
      if (item.tier === 'close' || given.has(address) || !(await agrees(item, skill))) continue;
      given.add(address);
      taken.push(item);
      if (taken.length === max) break;
    }
  } catch (error) {
    return { kind: 'failed', skill: label, code: findCode(error) };
  }
  return { kind: 'objects', skill: label, items: taken };
}

function findCode(error: unknown): ErrorCode {
  return error instanceof AppError ? error.code : 'INTERNAL';
}

/** The outcome of each job as it arrives; of several, the earliest job's first. Jobs are begun in their order, and `run` must not
 *  reject. Errors: the reason of the signal. */
export async function* runPlanJobs<J, R>(
  jobs: readonly J[],
  run: (job: J) => Promise<R>,
  { atOnce, signal }: Running,
): AsyncGenerator<R, void, undefined> {
  const arrived = new Map<number, R>();
  let wake = () => {};
  // Each worker takes the next one.
  const waiting = jobs.entries();
  const work = async () => {
    for (const [rank, job] of waiting) {
      if (signal.aborted) return;
      arrived.set(rank, await run(job));
      wake();
    }
  };
  for (let workers = 0; workers < atOnce; workers++) void work();
  const stop = () => wake();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (let given = 0; given < jobs.length; given++) {
      if (arrived.size === 0 && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      // By then, outcomes that arrive together with it are there too, and may go first.
      await setImmediate();
      signal.throwIfAborted();
      yield* takeEarliest(arrived);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function* takeEarliest<R>(arrived: Map<number, R>): Generator<R, void, undefined> {
  const [earliest] = [...arrived].sort(([a], [b]) => a - b);
  if (earliest === undefined) return;
  arrived.delete(earliest[0]);
  yield earliest[1];
}

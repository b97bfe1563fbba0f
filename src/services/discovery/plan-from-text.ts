import { setImmediate } from 'node:timers/promises';
import { normalizeObjectAddress } from '../../domain/learning-object.ts';
import type { UsageMetric } from '../../domain/tenant.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { CallOptions } from '../../ports/learning-service.ts';
import type { TenantAnswers } from '../tenant-answers/tenant-answers.ts';
import { type AgreesWithWeek, createPlanAgreement } from './plan-agreement.ts';
import { findPlanSkills, type PlanEvent, type PlannedSkill, type PlanRequest } from './plan-skills.ts';
import type { FoundObject } from './results.ts';
import type { SearchLearningObjects } from './search.ts';
import { makeStoppable } from './signals.ts';
import { dropDuplicates } from './skills.ts';

interface Running {
  /** How many run at the same time. */
  readonly atOnce: number;
  /** Once aborted, no more jobs are begun, and running ones are not waited for. */
  readonly signal: AbortSignal;
}

export interface PlanDeps {
  readonly answers: Pick<TenantAnswers, 'tagger' | 'listLanguages'>;
  readonly search: SearchLearningObjects;
  count(metric: UsageMetric): void;
}

type ObjectsOrFailed = Extract<PlanEvent, { kind: 'objects' | 'failed' }>;

const SEARCHES_AT_ONCE = 3;
/** Most items that a page can have. */
const MAX_PAGE = 20;
/** How many are asked for each one wanted, so that an object that another skill already has can be replaced. */
const SPARE_FACTOR = 3;

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
  const max = Math.min(MAX_PAGE, SPARE_FACTOR * perSkill);
  const find = async (skill: PlannedSkill): Promise<ObjectsOrFailed> => {
    const { label } = skill;
    try {
      const { items } = await search({ ...query, keywords: label, page: 0, max }, { signal });
      return { kind: 'objects', skill: label, items: await keepAgreeing(items, skill, agrees) };
    } catch (error) {
      return { kind: 'failed', skill: label, code: findCode(error) };
    }
  };
  const given = new Set<string>();
  let isComplete = true;
  for await (const event of runPlanJobs(skills, find, { atOnce: SEARCHES_AT_ONCE, signal })) {
    if (event.kind === 'failed') isComplete = false;
    yield event.kind === 'failed' ? event : { ...event, items: takeNew(event.items, given, perSkill) };
  }
  if (isComplete && given.size === 0) count('zero-result-searches');
}

async function keepAgreeing(
  items: readonly FoundObject[],
  skill: PlannedSkill,
  agrees: AgreesWithWeek,
): Promise<readonly FoundObject[]> {
  const kept: FoundObject[] = [];
  for (const item of items) if (item.tier !== 'close' && (await agrees(item, skill))) kept.push(item);
  return kept;
}

/** The first few items that were not given before; they are remembered as given. */
function takeNew(items: readonly FoundObject[], given: Set<string>, max: number): readonly FoundObject[] {
  const addressOf = ({ object }: FoundObject) => normalizeObjectAddress(object.url);
  const fresh = dropDuplicates(items, addressOf).filter((item) => !given.has(addressOf(item)));
  const taken = fresh.slice(0, max);
  for (const item of taken) given.add(addressOf(item));
  return taken;
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

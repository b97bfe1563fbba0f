import { normalizeAddress } from '../../domain/learning-object.ts';
import type { UsageMetric } from '../../domain/tenant.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { CallOptions } from '../../ports/learning-service.ts';
import type { TenantAnswers } from '../tenant-answers/tenant-answers.ts';
import { asTheyCome } from './as-they-come.ts';
import { distinctBy } from './distinct.ts';
import type { PlanEvent, PlannedSkill, PlanRequest } from './plan.ts';
import { findPlanSkills } from './plan-skills.ts';
import type { FoundObject } from './results.ts';
import type { SearchLearningObjects } from './search.ts';
import { stoppable } from './stoppable.ts';

export interface PlanDeps {
  readonly answers: Pick<TenantAnswers, 'tagger' | 'listLanguages'>;
  readonly search: SearchLearningObjects;
  count(metric: UsageMetric): void;
}

type ObjectsOrFailed = Extract<PlanEvent, { kind: 'objects' | 'failed' }>;

const SEARCHES_AT_ONCE = 3;
/** Most items that a page can have. */
const MAX_PAGE = 20;
/** Asked for each one wanted, so that what another skill has already can be replaced. */
const SPARE_FACTOR = 3;

export function planFromText(
  deps: PlanDeps,
  request: PlanRequest,
  options: CallOptions = {},
): AsyncIterable<PlanEvent> {
  return stoppable((signal) => makePlan(deps, request, signal), options.signal);
}

async function* makePlan(
  deps: PlanDeps,
  request: PlanRequest,
  signal: AbortSignal,
): AsyncGenerator<PlanEvent, void, undefined> {
  signal.throwIfAborted();
  const found = await findPlanSkills(deps.answers, request, { signal });
  const { skills, lang, isLangDetected } = found;
  const query = { ...found.searchDefaults, ...request.query };
  yield { kind: 'skills', skills, lang, isLangDetected };
  if (skills.length > 0) yield* searchForSkills(deps, { ...request, query, skills }, signal);
  yield { kind: 'done' };
}

/** Counted as one search. */
async function* searchForSkills(
  { search, count }: PlanDeps,
  { skills, query, perSkill }: PlanRequest & { readonly skills: readonly PlannedSkill[] },
  signal: AbortSignal,
): AsyncGenerator<PlanEvent, void, undefined> {
  count('searches');
  const max = Math.min(MAX_PAGE, SPARE_FACTOR * perSkill);
  const find = ({ label }: PlannedSkill) =>
    search({ ...query, keywords: label, page: 0, max }, { signal }).then(
      ({ items }): ObjectsOrFailed => ({ kind: 'objects', skill: label, items }),
      (error: unknown): ObjectsOrFailed => ({ kind: 'failed', skill: label, code: codeOf(error) }),
    );
  const given = new Set<string>();
  let isComplete = true;
  for await (const event of asTheyCome(skills, find, { atOnce: SEARCHES_AT_ONCE, signal })) {
    if (event.kind === 'failed') isComplete = false;
    yield event.kind === 'failed' ? event : { ...event, items: takeNew(event.items, given, perSkill) };
  }
  if (isComplete && given.size === 0) count('zero-result-searches');
}

/** The first few items that were not given before; from now on they were. */
function takeNew(items: readonly FoundObject[], given: Set<string>, max: number): readonly FoundObject[] {
  const addressOf = ({ object }: FoundObject) => normalizeAddress(object.url);
  const fresh = distinctBy(items, addressOf).filter((item) => !given.has(addressOf(item)));
  const taken = fresh.slice(0, max);
  for (const item of taken) given.add(addressOf(item));
  return taken;
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof AppError ? error.code : 'INTERNAL';
}

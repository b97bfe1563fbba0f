import { setImmediate } from 'node:timers/promises';
import { waitUnlessAborted } from '#domain/async/deadline';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import { normalizeObjectAddress } from '#domain/learning-object';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { UsageMetric } from '#domain/tenant';
import { foldText } from '#domain/text';
import { type ErrorCode, findErrorCode } from '#errors';
import type { CallOptions, TextSpan } from '#ports/learning-service';
import type { LearningObjectHit } from '../discovery/results.ts';
import type { SearchLearningObjects } from '../discovery/search.ts';
import { makeStoppable } from '../signals.ts';
import type { TenantAnswers } from '../tenant-answers.ts';
import { findPlanSkills, foldPlanLabel, type PlannedSkill, type PlanRequest, type PlanSkills } from './plan-skills.ts';
import { findCourseTitle, findLanguageCourse, planSections, suitsCourse } from './sections.ts';
import { readSyllabusDetails, type SyllabusWeek } from './syllabus.ts';

/** `skills` is first; each skill has `objects` or `failed` as its search ends; `done` is last. */
export type PlanEvent =
  | {
      readonly kind: 'skills';
      readonly skills: readonly PlannedSkill[];
      /** Titles of the weeks. */
      readonly weeks?: readonly string[];
      /** The text of each week below its title. */
      readonly details?: readonly string[];
      readonly lang: string;
      readonly isLangDetected: boolean;
    }
  | {
      readonly kind: 'objects';
      /** Label of the skill. */
      readonly skill: string;
      /** Best first. Only weeks of a syllabus may share an object. */
      readonly items: readonly LearningObjectHit[];
      /** Labels of other skills of the week for which nothing suits. */
      readonly uncovered?: readonly string[];
    }
  | { readonly kind: 'failed'; readonly skill: string; readonly code: ErrorCode }
  | { readonly kind: 'done' };

export interface PlanDeps {
  readonly answers: TenantAnswers;
  readonly search: SearchLearningObjects;
  count(metric: UsageMetric): void;
}

const SEARCHES_AT_ONCE = 3;
/** The longest page there is: many results do not belong to the week, or another skill has them. */
const RESULTS_PER_SEARCH = 20;

/** Plans a text. Makes no call before the caller reads the first event. */
export function planFromText(
  deps: PlanDeps,
  request: PlanRequest,
  options: CallOptions = {},
): AsyncIterable<PlanEvent> {
  return makeStoppable((signal) => streamPlan(deps, request, signal), options.signal);
}

async function* streamPlan(
  deps: PlanDeps,
  request: PlanRequest,
  signal: AbortSignal,
): AsyncGenerator<PlanEvent, void, undefined> {
  signal.throwIfAborted();
  const planned = await findPlanSkills(deps.answers, request, { signal });
  const { skills, lang, isLangDetected } = planned;
  const query = { ...planned.searchDefaults, ...request.query };
  if (planned.isBuiltIn && planned.sections !== undefined) {
    yield* streamPlanOfSections(deps, { request, planned, sections: planned.sections }, signal);
    return;
  }
  yield { kind: 'skills', skills, ...listPlanWeeks(planned), lang, isLangDetected };
  const isLangRequired = isLangDetected && request.query.lang === undefined;
  const belongsToWeek: BelongsToWeek =
    request.isSyllabus && planned.isBuiltIn
      ? createWeekFilter(deps.answers, { lang, isLangRequired, query, skills }, { signal })
      : async () => true;
  const searches = { query, perSkill: request.perSkill, skills, belongsToWeek };
  if (skills.length > 0) yield* streamSkillObjects(deps, searches, signal);
  yield { kind: 'done' };
}

const listPlanWeeks = ({ weeks, sections = [] }: PlanSkills) =>
  weeks && { weeks, details: sections.map(readSyllabusDetails) };

async function* streamPlanOfSections(
  { answers, search, count }: PlanDeps,
  { request, planned, sections }: { request: PlanRequest; planned: PlanSkills; sections: readonly SyllabusWeek[] },
  signal: AbortSignal,
): AsyncGenerator<PlanEvent, void, undefined> {
  const { skills, lang, isLangDetected, searchDefaults } = planned;
  const { lang: preferred, ...levels } = searchDefaults;
  const { perSkill } = request;
  const language = findLanguageCourse(request, lang);
  const level = request.query.match === 'strict' ? {} : language?.levels;
  const query = { ...level, ...levels, ...(preferred !== undefined && { prefer: preferred }), ...request.query };
  // The skills of a theme (`la santé`) are not what a lesson of the language teaches.
  const course = language
    ? { language, skills: [], courseTitle: '' }
    : { skills, courseTitle: findCourseTitle(request, sections) };
  const entries = await planSections(search, { ...course, weeks: sections, query, lang, perSkill }, { signal });
  yield { kind: 'skills', skills: entries.map(({ skill }) => skill), ...listPlanWeeks(planned), lang, isLangDetected };
  if (entries.length > 0) count('searches');
  for (const { skill, items, failure, uncovered = [] } of entries) {
    const ofWeek = entries.flatMap((entry) => (entry.skill.week === skill.week ? entry.items : []));
    const taught = uncovered.length > 0 ? await listTaughtSkills(answers, ofWeek, { lang, signal }) : null;
    const missing = uncovered.filter((label) => !taught?.has(skills.find((each) => each.label === label)?.uri));
    if (failure !== undefined) yield { kind: 'failed', skill: skill.label, code: failure };
    else yield { kind: 'objects', skill: skill.label, items, ...(missing.length > 0 && { uncovered: missing }) };
  }
  const isEmpty = entries.every(({ items, failure }) => items.length === 0 && failure === undefined);
  if (entries.length > 0 && isEmpty) count('zero-result-searches');
  yield { kind: 'done' };
}

/** Returns the URIs of skills that objects name, perhaps by other words or in other languages. */
async function listTaughtSkills(
  answers: TenantAnswers,
  items: readonly LearningObjectHit[],
  { lang: usualLang, signal }: { readonly lang: string; readonly signal: AbortSignal },
): Promise<ReadonlySet<string | undefined>> {
  const tagged = items.map(({ object: { title, description = '', lang = usualLang } }) =>
    answers.ask('tagger', { text: `${title}.\n${description}`, lang, byWords: true }, { signal }),
  );
  const outcomes = await Promise.allSettled(tagged);
  signal.throwIfAborted();
  const sets = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.value] : []));
  return new Set(sets.flatMap(({ concepts = [] }) => concepts.flatMap((concept) => concept?.uri ?? [])));
}

interface SkillSearches extends Pick<PlanRequest, 'query' | 'perSkill'> {
  readonly skills: readonly PlannedSkill[];
  readonly belongsToWeek: BelongsToWeek;
}

interface SkillResult {
  readonly skill: PlannedSkill;
  readonly items: readonly LearningObjectHit[] | Error;
}

async function* streamSkillObjects(
  { search, count }: PlanDeps,
  { skills, query, perSkill, belongsToWeek }: SkillSearches,
  signal: AbortSignal,
): AsyncGenerator<PlanEvent, void, undefined> {
  count('searches');
  const find = (skill: PlannedSkill): Promise<SkillResult> =>
    search({ ...query, keywords: skill.label, page: 0, max: RESULTS_PER_SEARCH }, { signal }).then(
      ({ items }) => ({ skill, items }),
      (error: Error) => ({ skill, items: error }),
    );
  const usedAddresses = new Set<string>();
  let isComplete = true;
  for await (const result of runJobs(skills, find, signal)) {
    const event = await choosePlanObjects(result, { belongsToWeek, usedAddresses, max: perSkill });
    signal.throwIfAborted();
    if (event.kind === 'failed') isComplete = false;
    yield event;
  }
  if (isComplete && usedAddresses.size === 0) count('zero-result-searches');
}

/** Chooses the first results that fit, belong to the week of the skill, and are not used yet; adds
 *  their addresses to those that are used. */
async function choosePlanObjects(
  { skill, items }: SkillResult,
  { belongsToWeek, usedAddresses, max }: { belongsToWeek: BelongsToWeek; usedAddresses: Set<string>; max: number },
): Promise<Extract<PlanEvent, { kind: 'objects' | 'failed' }>> {
  const { label } = skill;
  if (items instanceof Error) return { kind: 'failed', skill: label, code: findErrorCode(items) };
  const chosen: LearningObjectHit[] = [];
  try {
    for (const item of items) {
      const address = normalizeObjectAddress(item.object.url);
      if (item.tier === 'close' || usedAddresses.has(address) || !(await belongsToWeek(item, skill))) continue;
      usedAddresses.add(address);
      chosen.push(item);
      if (chosen.length === max) break;
    }
  } catch (error) {
    return { kind: 'failed', skill: label, code: findErrorCode(error) };
  }
  return { kind: 'objects', skill: label, items: chosen };
}

/** Yields outcomes as they arrive, a few jobs at a time, of several the earliest job first. `run`
 *  must not reject. After an abort, no job begins or is waited for. Errors: the signal's reason. */
export async function* runJobs<J, R>(
  jobs: readonly J[],
  run: (job: J) => Promise<R>,
  signal: AbortSignal,
): AsyncGenerator<R, void, undefined> {
  const inTurn = limitConcurrency({ running: SEARCHES_AT_ONCE });
  const begin = async (job: J, place: number) => ({ place, outcome: await inTurn(() => run(job), { signal }) });
  const underWay = new Map(jobs.map((job, place) => [place, begin(job, place)]));
  const findFirst = () => waitUnlessAborted(Promise.race(underWay.values()), signal);
  while (underWay.size > 0) {
    await findFirst();
    // Lets outcomes that arrive together with this one arrive, as an earlier job goes first.
    await setImmediate();
    const { place, outcome } = await findFirst();
    underWay.delete(place);
    yield outcome;
  }
}

interface Course {
  /** Two-letter code of its text. */
  readonly lang: string;
  /** Whether objects in other languages are left out. */
  readonly isLangRequired: boolean;
  readonly query: Pick<LearningObjectQuery, 'types' | 'levelMin' | 'levelMax'>;
  readonly skills: readonly PlannedSkill[];
}

/** Returns whether an object belongs to the week of a skill. */
type BelongsToWeek = (item: LearningObjectHit, skill: PlannedSkill) => Promise<boolean>;

/** Number of the first tags that an object is about; it only mentions the later ones. */
const MAX_TAGS = 2;
/** A search finds words, which may be used in another sense. So an object belongs to the week of a
 *  skill only if its title names the skill with several words, or if the tagger agrees:
 *  - title and description are about the skill, not more about a skill of another week, and the
 *  title names it, the tagger has evidence, or they are about another skill of the week too; or
 *  - its title alone is first of all about the skill.
 *  The object must also be in the language of the course, not of the opposite level, and of a type
 *  that teaches. Errors of the filter: those of the tagger. */
export function createWeekFilter(answers: TenantAnswers, course: Course, options: CallOptions): BelongsToWeek {
  const { lang, skills } = course;
  const weekOf = new Map(skills.map(({ label, week }) => [foldPlanLabel(label), week]));
  /** Returns the skills of a text, the most important first, each with the place of its
   *  evidence. */
  async function tagSkills(text: string, max: number): Promise<ReadonlyMap<string, TextSpan | null>> {
    const request = { text, lang, max, guesses: true, spans: true, byWords: true };
    const { value } = await answers.ask('tagger', request, options);
    return new Map(value.tags.map((tag, i) => [foldPlanLabel(tag), value.spans?.[i] ?? null]));
  }
  return async ({ object }, { label, week }) => {
    const { title, description = '' } = object;
    if (course.isLangRequired && object.lang !== undefined && object.lang !== lang) return false;
    if (!suitsCourse(object, course.query)) return false;
    const isNamed = hasAllSkillWords(title, label);
    // A single word may be used in another sense.
    if (isNamed && label.includes(' ')) return true;
    // Tagging takes half a millisecond; other requests get their turn in between.
    await setImmediate();
    const folded = foldPlanLabel(label);
    const tagged = await tagSkills(`${title}.\n${description}`, MAX_TAGS);
    if (tagged.has(folded) && isNamed) return true;
    const planned = [...tagged.keys()].filter((skill) => weekOf.has(skill));
    if (planned[0] !== undefined && weekOf.get(planned[0]) !== week) return false;
    const isShared = planned.filter((skill) => weekOf.get(skill) === week).length > 1;
    if (tagged.has(folded) && (tagged.get(folded) || isShared)) return true;
    return (await tagSkills(title, 1)).has(folded);
  };
}

/** Compares words without those in brackets: `C (programming language)`. */
function hasAllSkillWords(title: string, label: string): boolean {
  const words = new Set(listPlanWords(title));
  return listPlanWords(label.replace(/\(.*\)/, '')).every((word) => words.has(word));
}

const listPlanWords = (text: string) =>
  Array.from(foldText(text).matchAll(/[\p{L}\p{N}]+/gu), ([word]) => word.replace(/s$/, ''));

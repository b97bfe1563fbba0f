import { setImmediate } from 'node:timers/promises';
import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { type LearningObjectQuery, levels } from '#domain/learning-object-query';
import { isOnlyAboutCourse, listLanguageSteps } from '#domain/query-intent/language-learning';
import { isLanguageCourse, readQueryWishes } from '#domain/query-wishes';
import { foldText } from '#domain/text';
import { AppError, type ErrorCode } from '#errors';
import type { CallOptions } from '#ports/learning-service';
import type { LearningObjectHit } from '../discovery/results.ts';
import type { SearchLearningObjects } from '../discovery/search.ts';
import { foldPlanLabel, type PlannedSkill, type PlanRequest } from './plan-skills.ts';
import type { SyllabusWeek } from './syllabus.ts';

interface SectionsToPlan {
  readonly weeks: readonly SyllabusWeek[];
  readonly skills: readonly PlannedSkill[];
  readonly query: Omit<LearningObjectQuery, 'keywords' | 'page' | 'max'>;
  /** Title of the course; empty if it has none. */
  readonly courseTitle: string;
  /** Absent if the course does not teach a language. */
  readonly language?: LanguageCourse;
  /** Two-letter code of the text. */
  readonly lang: string;
  /** Learning objects for each skill; a section has one more at most. */
  readonly perSkill: number;
}

type LanguageCourse = Record<'code' | 'lesson', string> & {
  readonly levels: Pick<LearningObjectQuery, 'levelMin' | 'levelMax'> | undefined;
};

interface SectionEntry {
  readonly skill: PlannedSkill;
  readonly items: readonly LearningObjectHit[];
  /** Set if the searches failed. */
  readonly failure?: ErrorCode;
  /** Labels of skills of the section without objects; only in the first entry of a section. */
  readonly uncovered?: readonly string[];
}

/** Number of the best results of each search that are considered for a section. */
const MAX_RESULTS = 10;
const MAX_KEYWORDS = 400;
const MAX_HEADING = 120;
const MAX_COURSE_TITLE = 60;
/** Objects in other languages are shown, last, if fewer than this are in the language. */
const MIN_LOCAL = 2;
/** Weights of the ranks of the lists: of the whole text, of the heading within the course, of the
 *  heading alone, and of each skill. The offset makes the first places differ less.
 *  Source: reciprocal rank fusion, Cormack, Clarke and Büttcher 2009. */
const WEIGHTS = { whole: 1, inCourse: 0.8, heading: 0.5, skill: 0.4 } as const;
const RANK_OFFSET = 5;
/** The first results of the search for the whole section count even if no other list has them. */
const SURE_RANKS = 3;
/** Objects with a lower share of the best score are about something else. */
const MIN_SHARE_OF_BEST = 0.45;

/** Plans each section by searches for its whole text, its heading and its skills, best first by the
 *  ranks in all lists. An object stands below the skill that it is found for, else below the
 *  heading. Skills without an object are left out. Errors: the reason of the signal. */
export async function planSections(
  search: SearchLearningObjects,
  plan: SectionsToPlan,
  options: CallOptions,
): Promise<readonly SectionEntry[]> {
  const used = new Set<string>();
  const labels = new Set(plan.skills.map(({ label }) => foldPlanLabel(label)));
  const entries: SectionEntry[] = [];
  for (const [week, section] of plan.weeks.entries()) {
    if (section.text === '') continue;
    const isOnly = plan.weeks.length === 1;
    const skills = isOnly ? plan.skills : plan.skills.filter((skill) => skill.week === week);
    const heading = findSectionHeading(section);
    const isTaken = labels.has(foldPlanLabel(heading));
    const topic: PlannedSkill = { label: isTaken ? section.title : heading, weight: 1, ...(!isOnly && { week }) };
    labels.add(foldPlanLabel(topic.label));
    try {
      const lists = await searchSection(search, { heading, section, skills, plan }, options);
      const chosen = chooseSectionObjects(lists, plan, used);
      entries.push(...groupBySkill(chosen, { topic, skills, lists }));
      for (const { object } of chosen) used.add(normalizeObjectAddress(object.url));
    } catch (error) {
      options.signal?.throwIfAborted();
      const failure = error instanceof AppError ? error.code : 'INTERNAL';
      entries.push({ skill: topic, items: [], failure });
    }
    // Other requests get their turn in between.
    await setImmediate();
  }
  return entries;
}

/** The code of a course is not its subject, unless it names a language: `FLE 101`. */
const COURSE_CODE = /^[#*\s]*(?:(?!FLE|ESL|EFL)\p{Lu}{2,5} ?\d{2,4}\b[\s:–-]*)?/u;

/** Returns the first line before the first section, without its code.
 *  @example findCourseTitle({ text: 'ACC 101 – Accounting\nWeek 1 …' }, weeks) // 'Accounting' */
export function findCourseTitle(
  { text, courseTitle }: Pick<PlanRequest, 'text' | 'courseTitle'>,
  [first]: readonly SyllabusWeek[],
): string {
  const [line = ''] = text.trim().split('\n', 1);
  const title = first !== undefined && line.includes(first.title) ? (courseTitle ?? '') : line;
  return title.replace(COURSE_CODE, '').slice(0, MAX_COURSE_TITLE);
}

const MAX_HEAD = 6;
const COURSE_LINE = /^\W*(?:course|cours|kurs|curso|matière|fach|asignatura)\s*:\s*/iu;
const LEVEL_LINE = /^\W*(?:level|niveau|stufe|nivel)\s*:?\s*[abc][12]\b/iu;
/** Ranges by the letter of the European levels. */
const stepLevels = new Map(Object.entries({ a: levels.beginner, b: levels.intermediate, c: levels.advanced }));

/** Reads from a title or the first lines which language a course teaches, at which level, and the
 *  words before a theme in a search for a lesson (`francais a2:`); null for other courses. */
export function findLanguageCourse(
  { text, courseTitle = '' }: Pick<PlanRequest, 'text' | 'courseTitle'>,
  lang: string,
): LanguageCourse | null {
  const head = text.trim().split('\n', MAX_HEAD);
  const named = head.filter((line) => COURSE_LINE.test(line)).map((line) => line.replace(COURSE_LINE, ''));
  const level = head.find((line) => LEVEL_LINE.test(line)) ?? '';
  for (const title of [head[0] ?? '', courseTitle, ...named]) {
    // `Cours du soir – Français A2`; not `Marketing, cours en anglais`.
    const parts = title.replace(COURSE_CODE, '').split(/[,;:|()]|\s[–—-]\s/u);
    const read = readQueryWishes(parts.find((part) => !isOnlyAboutCourse(foldText(part))) ?? '');
    const { learns, context = '' } = read;
    const whole = foldText(`${title} ${level}`);
    if (learns === undefined || (learns.code === lang && !isLanguageCourse(whole, read))) continue;
    const steps = listLanguageSteps(whole);
    const [step = ''] = steps;
    // With an audience, the level is left out, as it is a filter as well.
    const name = context || step === '' ? `learn ${learns.subject}` : [learns.subject, ...steps].join(' ');
    return { code: learns.code, lesson: `${name}: ${context}`.trim(), levels: stepLevels.get(step.charAt(0)) };
  }
  return null;
}

/** Returns the first line of a section, up to where a list of details begins. */
function findSectionHeading({ text }: SyllabusWeek): string {
  const [line = ''] = text.split('\n', 1);
  const [head = line] = line.split(/[:;.](?=\s)|\s[–—]\s/u);
  const heading = (head.trim().length > 3 ? head : line).replace(/^[\s*•–-]+|[\s*:;.,–-]+$/gu, '');
  return heading.slice(0, MAX_HEADING);
}

interface SectionSearch {
  readonly heading: string;
  readonly section: SyllabusWeek;
  readonly skills: readonly PlannedSkill[];
  readonly plan: SectionsToPlan;
}

interface ResultList {
  readonly weight: number;
  /** Whether its first results count even if no other list has them. */
  readonly isWhole: boolean;
  /** Whether the search has the context: all of the section, or its course. */
  readonly hasContext: boolean;
  /** Whether the search is for a heading of several words. */
  readonly isHeading?: boolean;
  /** The skill that is searched for, if any. */
  readonly skill?: PlannedSkill;
  readonly items: readonly LearningObjectHit[];
}

async function searchSection(
  search: SearchLearningObjects,
  { heading, section, skills, plan: { query, courseTitle, language } }: SectionSearch,
  options: CallOptions,
): Promise<readonly ResultList[]> {
  const whole = section.text
    .replace(/^[\s#*•–-]*(?:\d[\d.]*|[A-Z]\.)?\s+/gmu, '')
    .replace(/\s*\n\s*/g, '. ')
    .slice(0, MAX_KEYWORDS);
  const within = (theme: string) => (language === undefined ? theme : `${language.lesson} ${theme}`);
  const [isClear, inCourse] = [isSpecificSection(heading), `${heading} ${courseTitle}`.trim()];
  const ofSkill = { weight: WEIGHTS.skill, isWhole: false, hasContext: false };
  const searches: (Omit<ResultList, 'items'> & { readonly keywords: string })[] = [
    { keywords: whole, weight: WEIGHTS.whole, isWhole: true, hasContext: true },
    { keywords: inCourse, weight: WEIGHTS.inCourse, isWhole: false, hasContext: language !== undefined || !isClear },
    { keywords: heading, weight: WEIGHTS.heading, isWhole: false, hasContext: isClear, isHeading: isClear },
    ...skills.map((skill) => ({ ...ofSkill, keywords: skill.label, skill })),
  ];
  const find = async ({ keywords, ...list }: (typeof searches)[number]): Promise<ResultList> => {
    const { items } = await search({ ...query, keywords: within(keywords), page: 0, max: MAX_RESULTS }, options);
    return { ...list, items: items.filter(({ tier }) => tier !== 'close') };
  };
  // Of searches for the same words, the first one stays, and stands for the skill of a later one.
  const distinct = new Map<string, (typeof searches)[number]>();
  for (const each of searches) {
    const first = distinct.get(each.keywords);
    distinct.set(each.keywords, first === undefined ? each : { ...(each.skill && { skill: each.skill }), ...first });
  }
  const lists = await Promise.all([...distinct.values()].map(find));
  // Without hits for the whole section, its heading stands for it, else its skills.
  const [all] = lists;
  const isWhole = ({ skill, isHeading }: ResultList) =>
    lists.some((list) => list.hasContext && list.items.length > 0) ? isHeading === true : skill !== undefined;
  if (all === undefined || all.items.length > 0) return lists;
  return lists.map((list) => (isWhole(list) ? { ...list, isWhole: true, hasContext: true } : list));
}

/** Returns whether a heading has several longer words: one alone may have another sense. */
const isSpecificSection = (heading: string): boolean => (heading.match(/\p{L}{4,}/gu) ?? []).length > 1;

interface Candidate {
  readonly item: LearningObjectHit;
  readonly address: string;
  score: number;
  lists: number;
  hasContext: boolean;
  isSure: boolean;
}

/** Ranks objects over all lists: new ones, those of earlier sections, other languages. */
function chooseSectionObjects(
  lists: readonly ResultList[],
  { query, lang, language, perSkill }: SectionsToPlan,
  used: ReadonlySet<string>,
): readonly LearningObjectHit[] {
  const candidates = new Map<string, Candidate>();
  for (const { items, weight, isWhole, hasContext } of lists) {
    for (const [rank, item] of items.entries()) {
      if (!suitsCourse(item.object, query)) continue;
      const address = normalizeObjectAddress(item.object.url);
      const first = { item, address, score: 0, lists: 0, hasContext: false, isSure: false };
      const candidate = candidates.get(address) ?? first;
      candidate.score += weight / (RANK_OFFSET + rank);
      candidate.lists += 1;
      candidate.hasContext ||= hasContext;
      candidate.isSure ||= isWhole && rank < SURE_RANKS;
      candidates.set(address, candidate);
    }
  }
  const ranked = [...candidates.values()]
    .filter(({ lists, hasContext, isSure }) => hasContext && (isSure || lists > 1))
    .sort((a, b) => b.score - a.score)
    .filter(({ score }, _, [best]) => score >= MIN_SHARE_OF_BEST * (best?.score ?? 0))
    .slice(0, 2 * perSkill);
  const isForeign = ({ item: { object } }: Candidate) =>
    object.lang !== undefined && ![lang, language?.code].includes(object.lang);
  const isUsed = ({ address }: Candidate) => used.has(address);
  const repeated = ranked.find(isUsed);
  // General lessons of a language would be repeated in each section.
  const proposed = language === undefined ? ranked : ranked.filter((each) => !isUsed(each) || each === repeated);
  const local = proposed.filter((each) => !isForeign(each));
  const foreign = local.length < MIN_LOCAL ? proposed.filter(isForeign).slice(0, perSkill) : [];
  const ordered = [...local.filter((each) => !isUsed(each)), ...local.filter(isUsed), ...foreign];
  return ordered.slice(0, perSkill + 1).map(({ item }) => item);
}

/** Groups objects by the skill for which they are found best, else below the topic. */
function groupBySkill(
  chosen: readonly LearningObjectHit[],
  { topic, skills, lists }: { topic: PlannedSkill; skills: readonly PlannedSkill[]; lists: readonly ResultList[] },
): readonly SectionEntry[] {
  const addressOf = ({ object }: LearningObjectHit) => normalizeObjectAddress(object.url);
  const rankFor = (skill: PlannedSkill, item: LearningObjectHit) => {
    const { items = [] } = lists.find((list) => list.skill === skill) ?? {};
    const rank = items.findIndex((hit) => addressOf(hit) === addressOf(item));
    return rank < 0 ? MAX_RESULTS : rank;
  };
  const skillOf = (item: LearningObjectHit) => {
    const [best] = [...skills].sort((a, b) => rankFor(a, item) - rankFor(b, item));
    return best === undefined || rankFor(best, item) === MAX_RESULTS ? topic : best;
  };
  const groups = [topic, ...skills].map((skill) => ({
    skill,
    items: chosen.filter((item) => skillOf(item) === skill),
  }));
  const filled = groups.filter(({ items }) => items.length > 0);
  const [first = { skill: topic, items: [] }, ...further] = filled;
  const isCovered = (skill: PlannedSkill) => chosen.some((item) => rankFor(skill, item) < MAX_RESULTS);
  const uncovered = skills.filter((skill) => !isCovered(skill)).map(({ label }) => label);
  return [{ ...first, ...(uncovered.length > 0 && { uncovered }) }, ...further];
}

/** A level beyond this, on the other side of the middle (0), is the opposite one. */
const OPPOSITE_LEVEL = 0.2;
/** A career profile describes a job, a training has a place: neither is material for a week. */
const NO_MATERIAL: readonly string[] = ['career profile', 'training'];

/** Returns whether an object is of a type that teaches, and not of the opposite level. */
export function suitsCourse(
  { level, type }: LearningObject,
  { types, levelMin, levelMax }: Pick<LearningObjectQuery, 'types' | 'levelMin' | 'levelMax'>,
): boolean {
  if (level !== undefined && levelMax !== undefined && levelMax < 0 && level > OPPOSITE_LEVEL) return false;
  if (level !== undefined && levelMin !== undefined && levelMin > 0 && level < -OPPOSITE_LEVEL) return false;
  return type.length === 0 || type.some((each) => !NO_MATERIAL.includes(each) || types.includes(each));
}

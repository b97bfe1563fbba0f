import type { Answered } from '#domain/answer';
import { createLearningObjectQuery, type LearningObjectQuery, levels } from '#domain/learning-object-query';
import { readQueryWishes } from '#domain/query-wishes';
import type { SearchDefaults } from '#domain/tenant';
import type { CallOptions, TagSet, TextSpan } from '#ports/learning-service';
import { dropDuplicateSkills, findRejection, foldSkillLabel } from '../discovery/skills.ts';
import type { TenantAnswers } from '../tenant-answers.ts';
import { detectTextLanguage, FALLBACK_LANGUAGE, findTextLanguages, type TextLanguage } from '../text-language.ts';
import { cutSyllabusIntoPieces, markSyllabusTitles, type SyllabusWeek, splitSyllabusIntoWeeks } from './syllabus.ts';

export interface PlanRequest {
  /** At most 20,000 characters. */
  readonly text: string;
  /** Two-letter code of the text; detected when absent. */
  readonly lang?: string;
  /** Two-letter code for the searches if the language of a short text cannot be detected. */
  readonly usualLang?: string;
  /** Without `lang`, the searches use the language of the text. */
  readonly query: Omit<LearningObjectQuery, 'keywords' | 'page' | 'max'>;
  /** 1 to 30. */
  readonly maxSkills: number;
  /** Learning objects for each skill, 1 to 10. */
  readonly perSkill: number;
  /** Plans week by week, with up to twice as many skills, and objects that belong to their week. */
  readonly isSyllabus?: boolean;
  /** Title of the course; its level counts where the first line of the text names none. */
  readonly courseTitle?: string;
}

export interface SyllabusToPlan extends Pick<PlanRequest, 'text' | 'lang' | 'maxSkills' | 'perSkill' | 'courseTitle'> {
  /** Locale of the person. */
  readonly locale: string;
}

/** Makes a request with the tenant's filters. The language of the text excludes no objects in other
 *  languages, unless the tenant chose a language. */
export function createPlanRequest(tenantDefaults: SearchDefaults, { locale, ...text }: SyllabusToPlan): PlanRequest {
  const { prefer = locale, ...defaults } = tenantDefaults;
  const relaxed = defaults.lang === null ? ({ ...defaults, match: 'best-effort' } as const) : defaults;
  return { ...text, usualLang: prefer, query: createLearningObjectQuery('', relaxed), isSyllabus: true };
}

export interface PlannedSkill {
  readonly label: string;
  /** Its share of the text, compared with the first skill, which has 1. */
  readonly weight: number;
  /** Index of its week in the plan; absent if there are no weeks. */
  readonly week?: number;
  /** URI of its concept; from the built-in engine only. */
  readonly uri?: string;
  /** The place in the text that shows the skill; absent if it is only the label, or unknown. */
  readonly quote?: Quote;
}

type Quote = { readonly before: string; readonly words: string; readonly after: string };

export interface PlanSkills extends TextLanguage {
  /** Skills in the order of the weeks, then of weight. */
  readonly skills: readonly PlannedSkill[];
  /** Titles of the weeks; absent if there are none. */
  readonly weeks?: readonly string[];
  /** The weeks, or a short text without weeks as a whole; absent for a long text without weeks. */
  readonly sections?: readonly SyllabusWeek[];
  /** For searches without these filters: the language of the text, as an upstream would search in
   *  English, and the level that the first line or the course title names. */
  readonly searchDefaults: Pick<LearningObjectQuery, 'lang' | 'levelMin' | 'levelMax'>;
  readonly isBuiltIn: boolean;
}

/** A title and a text without weeks up to this length are about one section of a course. */
const MAX_SECTION_LENGTH = 600;
/** The built-in engine returns no more tags. */
const MAX_TAGS = 50;

/** Finds the skills of a text or its weeks. Errors: those of the tagger, if all calls fail. */
export async function findPlanSkills(
  answers: TenantAnswers,
  request: PlanRequest,
  options: CallOptions,
): Promise<PlanSkills> {
  const text = request.text.trim();
  const requested = { lang: request.lang ?? FALLBACK_LANGUAGE, isLangDetected: false };
  if (text === '') return { ...requested, skills: [], searchDefaults: {}, isBuiltIn: false };
  const { languages, isBuiltIn } = await findTextLanguages(answers, options);
  const language = request.lang === undefined ? await detectTextLanguage(text, languages) : requested;
  const { lang } = language;
  const searchDefaults = { ...choosePlanLanguage(language, request, isBuiltIn), ...readPlanLevel(request) };
  const weeks = request.isSyllabus ? splitSyllabusIntoWeeks(text) : [];
  const tag = (part: TextPart, maxSkills: number) =>
    tagPlanText(answers, { ...part, lang, isBuiltIn, maxSkills }, options);
  if (weeks.length === 0) {
    const part = { text, ...(request.isSyllabus && { hasHeading: false }) };
    const isSection = request.isSyllabus && text.includes('\n') && text.length <= MAX_SECTION_LENGTH;
    const [title = ''] = text.split('\n', 1);
    const sections = isSection ? [{ title, text, hasHeading: false }] : undefined;
    const skills = await tag(part, request.maxSkills);
    return { ...language, searchDefaults, isBuiltIn, skills, ...(sections && { sections }) };
  }
  const skills = await tagPlanWeeks(weeks, request.maxSkills, tag);
  return { ...language, searchDefaults, isBuiltIn, skills, weeks: weeks.map(({ title }) => title), sections: weeks };
}

function choosePlanLanguage(
  { lang, isLangDetected }: TextLanguage,
  { usualLang, query }: PlanRequest,
  isBuiltIn: boolean,
): Pick<LearningObjectQuery, 'lang'> {
  if (!isBuiltIn) return { lang };
  const preferred = isLangDetected ? lang : usualLang;
  return preferred === undefined || query.match === 'strict' ? {} : { lang: preferred };
}

/** Returns the level in the titles, unless the searches have one or would exclude by it. */
function readPlanLevel(request: PlanRequest): Pick<LearningObjectQuery, 'levelMin' | 'levelMax'> {
  const { text, courseTitle = '', query } = request;
  if (query.match === 'strict' || query.levelMin !== undefined || query.levelMax !== undefined) return {};
  const [firstLine = ''] = text.trim().split('\n', 1);
  const wishes = [firstLine, courseTitle].flatMap((title) => readQueryWishes(title).wishes);
  const wish = wishes.find(({ kind }) => kind === 'level');
  return wish?.kind === 'level' ? levels[wish.level] : {};
}

/** Skills of a week: with three objects for each skill, a week has at most nine. */
const MAX_PER_WEEK = 3;

/** Plans each skill in its first week. Errors: those of the tagger, if it fails for all weeks. */
async function tagPlanWeeks(
  weeks: readonly SyllabusWeek[],
  maxSkills: number,
  tag: (week: SyllabusWeek, maxSkills: number) => Promise<readonly PlannedSkill[]>,
): Promise<readonly PlannedSkill[]> {
  const max = Math.min(MAX_PER_WEEK, Math.max(1, Math.floor((2 * maxSkills) / weeks.length)));
  const outcomes = await Promise.allSettled(weeks.map((week) => tag(week, 2 * max)));
  if (outcomes.every(({ status }) => status === 'rejected')) throw findRejection(outcomes);
  const planned = new Set<string>();
  return outcomes.flatMap((outcome, week) => {
    const skills = outcome.status === 'fulfilled' ? outcome.value : [];
    const newSkills = skills.filter(({ label }) => !planned.has(foldPlanLabel(label))).slice(0, max);
    for (const { label } of newSkills) planned.add(foldPlanLabel(label));
    return newSkills.map((skill) => ({ ...skill, week }));
  });
}

interface TextPart {
  readonly text: string;
  /** Whether its first line is a title; absent if titles make no difference. */
  readonly hasHeading?: boolean;
}

async function tagPlanText(
  answers: TenantAnswers,
  { text, hasHeading, lang, isBuiltIn, maxSkills }: TextPart & { lang: string; isBuiltIn: boolean; maxSkills: number },
  options: CallOptions,
): Promise<readonly PlannedSkill[]> {
  if (text === '') return [];
  const marked = hasHeading === undefined ? null : markSyllabusTitles(text, hasHeading);
  // The built-in engine weighs texts of any length, and takes a number of tags.
  const max = Math.min(MAX_TAGS, 2 * maxSkills);
  const requests = isBuiltIn
    ? [{ text: marked?.text ?? text, lang, max, spans: true }]
    : cutSyllabusIntoPieces(text).map((piece) => ({ text: piece, lang }));
  const outcomes = await Promise.allSettled(requests.map((request) => answers.ask('tagger', request, options)));
  options.signal?.throwIfAborted();
  const tagSets = collectTagSets(outcomes).map(dropClassifications);
  const spans = mapTags(tagSets, ({ spans }, i) => spans?.[i]);
  const uris = mapTags(tagSets, ({ concepts }, i) => concepts?.[i]?.uri);
  return fusePlanTagLists(tagSets.map(({ tags }) => tags))
    .slice(0, maxSkills)
    .map((skill) => {
      const name = foldPlanLabel(skill.label);
      const [span, uri] = [spans.get(name), uris.get(name)];
      const quote = span && quotePlanSpan(text, marked?.toOriginal(span) ?? span);
      return { ...skill, ...(uri && { uri }), ...(quote && !isOnlyLabel(quote, skill) && { quote }) };
    });
}

/** Errors: those of the tagger, if all calls failed. */
function collectTagSets(outcomes: readonly PromiseSettledResult<Answered<TagSet>>[]): readonly TagSet[] {
  const tagSets = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.value] : []));
  if (tagSets.length === 0) throw findRejection(outcomes);
  return tagSets;
}

/** Classifications of occupations and fields, which sort people and studies and list no skills. */
const CLASSIFICATION = /^isc(?:o|ed)/;

/** Drops labels of one word of a classification: `Environnement`, `Acteurs`. */
function dropClassifications({ tags, concepts = [], spans, ...tagSet }: TagSet): TagSet {
  const isKept = (_: unknown, i: number) =>
    tags[i]?.includes(' ') === true || !CLASSIFICATION.test(concepts[i]?.uri ?? '');
  return {
    ...tagSet,
    tags: tags.filter(isKept),
    concepts: concepts.filter(isKept),
    ...(spans && { spans: spans.filter(isKept) }),
  };
}

/** The higher it is, the less the first places of a list outweigh the later ones. */
const RANK_OFFSET = 10;

/** Weighs each tag by its ranks in all lists, regardless of case, accents or number.
 *  Source: reciprocal rank fusion, Cormack, Clarke and Büttcher 2009. */
function fusePlanTagLists(lists: readonly (readonly string[])[]): readonly PlannedSkill[] {
  const fused = new Map<string, { readonly label: string; weight: number }>();
  for (const tags of lists) {
    for (const [rank, label] of dropDuplicateSkills(tags, foldPlanLabel).entries()) {
      const skill = fused.get(foldPlanLabel(label)) ?? { label, weight: 0 };
      skill.weight += 1 / (RANK_OFFSET + rank + 1);
      fused.set(foldPlanLabel(label), skill);
    }
  }
  const skills = [...fused.values()].sort((a, b) => b.weight - a.weight);
  const heaviest = skills[0]?.weight ?? 1;
  return skills.map(({ label, weight }) => ({ label, weight: weight / heaviest }));
}

/** Folds a label without plurals: `Statistic` of one taxonomy is `statistics` of another. */
export const foldPlanLabel = (label: string): string => foldSkillLabel(label).replace(/s(?= |$)/g, '');

/** Returns a value for each tag, from the last tag set that has one. */
const mapTags = <T>(tagSets: readonly TagSet[], read: (tagSet: TagSet, index: number) => T | null | undefined) =>
  new Map(
    tagSets.flatMap((tagSet) =>
      tagSet.tags.flatMap((tag, i): [string, T][] => {
        const value = read(tagSet, i);
        return value == null ? [] : [[foldPlanLabel(tag), value]];
      }),
    ),
  );

/** Returns whether a quote adds nothing to the label. */
const isOnlyLabel = ({ before, words, after }: Quote, { label }: PlannedSkill): boolean =>
  foldPlanLabel(before + words + after) === foldPlanLabel(label);

/** Limit of the words of the same line that are quoted on each side. */
const WORDS_AROUND = 5;
const LAST_WORDS = new RegExp(`(?:\\S+[ \\t]+){0,${WORDS_AROUND}}\\S*$`);
const FIRST_WORDS = new RegExp(`^\\S*(?:[ \\t]+\\S+){0,${WORDS_AROUND}}`);
/** Characters on each side in which those words are searched. */
const CHARS_AROUND = 120;

/** Quotes a span with words around it; an ellipsis stands for the rest of the line. */
function quotePlanSpan(text: string, [start, end]: TextSpan): Quote {
  const lineEnd = text.indexOf('\n', end);
  const lineBefore = text.slice(start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1, start);
  const lineAfter = text.slice(end, lineEnd < 0 ? undefined : lineEnd).trimEnd();
  const [before = ''] = LAST_WORDS.exec(lineBefore.slice(-CHARS_AROUND)) ?? [];
  const [after = ''] = FIRST_WORDS.exec(lineAfter.slice(0, CHARS_AROUND)) ?? [];
  const isCutBefore = before.length < lineBefore.trimStart().length;
  const isCutAfter = after.length < lineAfter.length;
  return {
    before: isCutBefore ? `… ${before.trimStart()}` : before,
    words: text.slice(start, end),
    after: isCutAfter ? `${after.replace(/[\s,;:]+$/, '')}…` : after,
  };
}

import type { Answered } from '#domain/answer';
import { type LearningObjectQuery, levels } from '#domain/learning-object-query';
import { readQueryWishes } from '#domain/query-wishes';
import type { ErrorCode } from '#errors';
import type { CallOptions, TagSet, TextSpan } from '#ports/learning-service';
import type { TenantAnswers } from '../tenant-answers.ts';
import { detectLanguage, FALLBACK_LANGUAGE, findTextLanguages, type TextLanguage } from '../text-language.ts';
import { markPlanTitles } from './plan-titles.ts';
import { type PlanWeek, splitPlanWeeks } from './plan-weeks.ts';
import type { FoundObject } from './results.ts';
import { dropDuplicates, findRejection, foldSkillLabel } from './skills.ts';

export interface PlanRequest {
  /** At most 20,000 characters. */
  readonly text: string;
  /** Two-letter code of the text; found out when absent. */
  readonly lang?: string;
  /** Two-letter code of the searches where the text is too short to tell its own. */
  readonly usualLang?: string;
  /** The searches of the plan, without keywords and paging. Without `lang`, they use the language of the text; our own engine,
   *  which can search in any language, does so only where `match` lets the language yield. */
  readonly query: Omit<LearningObjectQuery, 'keywords' | 'page' | 'max'>;
  /** 1 to 30. */
  readonly maxSkills: number;
  /** Learning objects for each skill, 1 to 10. */
  readonly perSkill: number;
  /** Whether the text is a syllabus: where it has weeks, it is planned week by week, and there may be twice as many skills. From
   *  our own engine it only has objects that agree with their week. */
  readonly isSyllabus?: boolean;
  /** Of the course that the syllabus is of; for its level, where the text's first line names none. */
  readonly courseTitle?: string;
}

export interface PlannedSkill {
  readonly label: string;
  /** 0 to 1: how much of the text it stands for, the first one having 1. */
  readonly weight: number;
  /** Place of its week among those of the plan; absent where there are none. */
  readonly week?: number;
  /** What the text says of it; absent where that is its label only, or an upstream was asked. */
  readonly quote?: Quote;
}

/** Words of a text, with what stands around them. */
export interface Quote {
  readonly before: string;
  readonly words: string;
  readonly after: string;
}

/** `skills` first, once; then one `objects` or `failed` for each skill as its search ends; `done` last. */
export type PlanEvent =
  | {
      readonly kind: 'skills';
      /** In the order of the weeks, then of weight. */
      readonly skills: readonly PlannedSkill[];
      /** Titles of the weeks, in their order; absent where there are none. */
      readonly weeks?: readonly string[];
      readonly lang: string;
      readonly isLangDetected: boolean;
    }
  | {
      readonly kind: 'objects';
      readonly skill: string;
      /** Best first; none of them is in another event of the plan. */
      readonly items: readonly FoundObject[];
    }
  | { readonly kind: 'failed'; readonly skill: string; readonly code: ErrorCode }
  | { readonly kind: 'done' };

export interface SkillsOfText extends TextLanguage {
  /** In the order of the weeks, then of weight. */
  readonly skills: readonly PlannedSkill[];
  /** Titles; absent where there are none. */
  readonly weeks?: readonly string[];
  /** For searches without a language: the specification cannot ask for any language, and an upstream would take English. From our
   *  own engine, objects in other languages are wanted only where there is nothing in that of the text. The level is the one that the
   *  first line or the course's title names. */
  readonly searchDefaults: Pick<LearningObjectQuery, 'lang' | 'levelMin' | 'levelMax'>;
  readonly isOwnEngine: boolean;
}

/** How much the first places of a list count more than those after them. */
const RANK_OFFSET = 10;
/** Most tags that our engine gives. */
const MAX_TAGS = 50;

/** The skills of a text, with how much of it each stands for. Errors: those of the tagging, if every piece fails. */
export async function findPlanSkills(
  answers: TenantAnswers,
  request: PlanRequest,
  options: CallOptions,
): Promise<SkillsOfText> {
  const text = request.text.trim();
  const given = { lang: request.lang ?? FALLBACK_LANGUAGE, isLangDetected: false };
  if (text === '') return { ...given, skills: [], searchDefaults: {}, isOwnEngine: false };
  const { languages, isOwnEngine } = await findTextLanguages(answers, options);
  const language = request.lang === undefined ? await detectLanguage(text, languages) : given;
  const { lang } = language;
  const searchDefaults = { ...findSearchLanguage(language, request, isOwnEngine), ...findLevel(request) };
  const found = { ...language, searchDefaults, isOwnEngine };
  const weeks = request.isSyllabus ? splitPlanWeeks(text) : [];
  const tag = (part: PlanPart, maxSkills: number) =>
    tagText(answers, { ...part, lang, isOwnEngine, maxSkills }, options);
  if (weeks.length === 0) {
    const part = { text, ...(request.isSyllabus && { isHeaded: false }) };
    return { ...found, skills: await tag(part, request.maxSkills) };
  }
  const skills = await tagWeeks(weeks, request.maxSkills, tag);
  return { ...found, skills, weeks: weeks.map(({ title }) => title) };
}

/** With three objects for each, a week has less than ten. */
const MAX_PER_WEEK = 3;

/** Skills of each week, each skill only in the first week that has it. Errors: those of the tagging, if every week fails. */
async function tagWeeks(
  weeks: readonly PlanWeek[],
  maxSkills: number,
  tag: (week: PlanWeek, maxSkills: number) => Promise<readonly PlannedSkill[]>,
): Promise<readonly PlannedSkill[]> {
  const most = Math.min(MAX_PER_WEEK, Math.max(1, Math.floor((2 * maxSkills) / weeks.length)));
  const outcomes = await Promise.allSettled(weeks.map((week) => tag(week, 2 * most)));
  if (outcomes.every(({ status }) => status === 'rejected')) throw findRejection(outcomes);
  const taught = new Set<string>();
  return outcomes.flatMap((outcome, week) => {
    const found = outcome.status === 'fulfilled' ? outcome.value : [];
    const fresh = found.filter(({ label }) => !taught.has(foldPlanLabel(label))).slice(0, most);
    for (const { label } of fresh) taught.add(foldPlanLabel(label));
    return fresh.map((skill) => ({ ...skill, week }));
  });
}

interface PlanPart {
  readonly text: string;
  /** Whether its first line is a title; absent where it is not looked for titles. */
  readonly isHeaded?: boolean;
}

interface TaggedText extends PlanPart {
  readonly lang: string;
  readonly isOwnEngine: boolean;
  readonly maxSkills: number;
}

async function tagText(
  answers: TenantAnswers,
  { text, isHeaded, lang, isOwnEngine, maxSkills }: TaggedText,
  options: CallOptions,
): Promise<readonly PlannedSkill[]> {
  if (text === '') return [];
  // Our engine weighs a text of any length itself. It also takes the number of tags, which the specification does not have.
  const max = Math.min(MAX_TAGS, 2 * maxSkills);
  const marked = isHeaded === undefined ? null : markPlanTitles(text, isHeaded);
  const requests = isOwnEngine
    ? [{ text: marked?.text ?? text, lang, max, spans: true }]
    : cutTextForPlan(text).map((piece) => ({ text: piece, lang }));
  const outcomes = await Promise.allSettled(requests.map((each) => answers.ask('tagger', each, options)));
  options.signal?.throwIfAborted();
  const quotes = new Map<string, Quote>();
  const quoteSpan = (span: TextSpan) => quote(text, marked?.findOwn(span) ?? span);
  for (const outcome of outcomes)
    if (outcome.status === 'fulfilled') quoteTags(outcome.value.value, quoteSpan, quotes);
  return fusePlanSkills(listTags(outcomes))
    .slice(0, maxSkills)
    .map((skill) => {
      const quote = quotes.get(foldPlanLabel(skill.label));
      return quote === undefined || isOnlyLabel(quote, skill) ? skill : { ...skill, quote };
    });
}

/** A line that is the skill's name says nothing that its label does not. */
const isOnlyLabel = ({ before, words, after }: Quote, { label }: PlannedSkill): boolean =>
  foldPlanLabel(before + words + after) === foldPlanLabel(label);

/** Adds what a text says of each tag, by the tag's folded label. */
function quoteTags(
  { tags, spans = [] }: TagSet,
  quoteSpan: (span: TextSpan) => Quote,
  quotes: Map<string, Quote>,
): void {
  for (const [i, tag] of tags.entries()) {
    const span = spans[i];
    if (span) quotes.set(foldPlanLabel(tag), quoteSpan(span));
  }
}

/** Words quoted on each side at most, of one line. */
const WORDS_AROUND = 5;
const LAST_WORDS = new RegExp(`(?:\\S+[ \\t]+){0,${WORDS_AROUND}}\\S*$`);
const FIRST_WORDS = new RegExp(`^\\S*(?:[ \\t]+\\S+){0,${WORDS_AROUND}}`);
/** Further away nothing is looked at. */
const MOST_AROUND = 120;

/** What is left out of the line is marked. */
function quote(text: string, [start, end]: TextSpan): Quote {
  const lineEnd = text.indexOf('\n', end);
  const lineBefore = text.slice(start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1, start);
  const lineAfter = text.slice(end, lineEnd < 0 ? undefined : lineEnd).trimEnd();
  const [before = ''] = LAST_WORDS.exec(lineBefore.slice(-MOST_AROUND)) ?? [];
  const [after = ''] = FIRST_WORDS.exec(lineAfter.slice(0, MOST_AROUND)) ?? [];
  const isBegun = before.length < lineBefore.trimStart().length;
  const isEnded = after.length === lineAfter.length;
  return {
    before: isBegun ? `… ${before.trimStart()}` : before,
    words: text.slice(start, end),
    after: isEnded ? after : `${after.replace(/[\s,;:]+$/, '')}…`,
  };
}

/** A course for beginners wishes for the same of all its objects, unless a level is asked for, or a wish would exclude. */
function findLevel({
  text,
  courseTitle = '',
  query,
}: PlanRequest): Pick<LearningObjectQuery, 'levelMin' | 'levelMax'> {
  if (query.match === 'strict' || query.levelMin !== undefined || query.levelMax !== undefined) return {};
  const [title = ''] = text.trim().split('\n', 1);
  const wishes = [title, courseTitle].flatMap((said) => readQueryWishes(said).wishes);
  const wish = wishes.find(({ kind }) => kind === 'level');
  return wish?.kind === 'level' ? levels[wish.level] : {};
}

function findSearchLanguage(
  { lang, isLangDetected }: TextLanguage,
  { usualLang, query }: PlanRequest,
  isOwnEngine: boolean,
): Pick<LearningObjectQuery, 'lang'> {
  if (!isOwnEngine) return { lang };
  const wanted = isLangDetected ? lang : usualLang;
  return wanted === undefined || query.match === 'strict' ? {} : { lang: wanted };
}

function listTags(outcomes: readonly PromiseSettledResult<Answered<TagSet>>[]): (readonly string[])[] {
  const lists = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value.value.tags] : [],
  );
  if (lists.length > 0) return lists;
  throw findRejection(outcomes);
}

/** A label in the form in which those of a plan are compared: `statistics` of one taxonomy is `Statistic` of another. */
export const foldPlanLabel = (label: string): string => foldSkillLabel(label).replace(/s(?= |$)/g, '');

/** Several lists of tags as one, heaviest first: each tag by its ranks in all of them. Tags that differ only in case, accents or
 *  number are one.
 *  Source: reciprocal rank fusion, Cormack, Clarke and Büttcher 2009. */
export function fusePlanSkills(lists: readonly (readonly string[])[]): readonly PlannedSkill[] {
  const fused = new Map<string, { readonly label: string; weight: number }>();
  for (const tags of lists) {
    for (const [rank, label] of dropDuplicates(tags, foldPlanLabel).entries()) {
      const skill = fused.get(foldPlanLabel(label)) ?? { label, weight: 0 };
      skill.weight += 1 / (RANK_OFFSET + rank + 1);
      fused.set(foldPlanLabel(label), skill);
    }
  }
  const skills = [...fused.values()].sort((a, b) => b.weight - a.weight);
  const heaviest = skills[0]?.weight ?? 1;
  return skills.map(({ label, weight }) => ({ label, weight: weight / heaviest }));
}

/** A tagger gives its best for 100 to 500 characters. */
const PIECE_LENGTH = 500;
/** Up to here a text is tagged as it is. */
const WHOLE_LENGTH = 1_000;
const MAX_PIECES = 8;

/** Ends of sentences and lines. */
const ENDS = /(?<=[.!?…;])\s+|\n\s*/u;
/** What is left of a text without such ends is cut at blanks, or anywhere. */
const LONG_RUN = new RegExp(`.{1,${PIECE_LENGTH}}(?:\\s|$)|.{${PIECE_LENGTH}}`, 'gsu');

/** A long text in pieces of about the same length, which together are the whole text except blanks. */
export function cutTextForPlan(text: string): readonly string[] {
  if (text.length <= WHOLE_LENGTH) return [text];
  const sentences = text.split(ENDS).flatMap((sentence) => sentence.match(LONG_RUN) ?? []);
  const length = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  const count = Math.min(MAX_PIECES, Math.ceil(length / PIECE_LENGTH));
  const pieces: string[][] = Array.from({ length: count }, () => []);
  let start = 0;
  for (const sentence of sentences) {
    // Cut near its middle, so that no piece is much longer than another.
    const at = (start + sentence.length / 2) / length;
    pieces[Math.floor(at * count)]?.push(sentence);
    start += sentence.length;
  }
  return pieces.filter((piece) => piece.length > 0).map((piece) => piece.join(' '));
}

import type { Answered } from '../../domain/answer.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type { CallOptions, TagSet } from '../../ports/learning-service.ts';
import type { TenantAnswers } from '../tenant-answers/tenant-answers.ts';
import { detectLanguage, FALLBACK_LANGUAGE, type TextLanguage } from './detect-language.ts';
import { distinctBy, foldLabel } from './distinct.ts';
import type { PlannedSkill, PlanRequest } from './plan.ts';
import { findTextLanguages } from './text-languages.ts';
import { cutText } from './text-pieces.ts';

export interface SkillsOfText extends TextLanguage {
  /** In the order of weight. */
  readonly skills: readonly PlannedSkill[];
  /** For searches that leave it open: the specification cannot ask for any language, and an upstream would take English. Of
   *  our own engine, what is in another language is wanted only where nothing is in that of the text. */
  readonly searchDefaults: Pick<LearningObjectQuery, 'lang'>;
}

/** How much the first places of a list count more than those after them. */
const RANK_OFFSET = 10;
/** Most tags that our engine gives. */
const MAX_TAGS = 50;

/** The skills of a text, with how much of it each stands for. Errors: those of the tagging, where no piece is tagged. */
export async function findPlanSkills(
  answers: Pick<TenantAnswers, 'tagger' | 'listLanguages'>,
  request: PlanRequest,
  options: CallOptions,
): Promise<SkillsOfText> {
  const text = request.text.trim();
  const given = { lang: request.lang ?? FALLBACK_LANGUAGE, isLangDetected: false };
  if (text === '') return { ...given, skills: [], searchDefaults: {} };
  const { languages, isOwnEngine } = await findTextLanguages(answers, options);
  const language = request.lang === undefined ? detectLanguage(text, languages) : given;
  const { lang } = language;
  // Our engine weighs a text of any length itself. It also takes a number of tags, which the specification does not know.
  const max = Math.min(MAX_TAGS, 2 * request.maxSkills);
  const requests = isOwnEngine
    ? [{ text, lang, max }]
    : cutText(text).map((piece) => ({ text: piece, lang }));
  const outcomes = await Promise.allSettled(requests.map((each) => answers.tagger(each, options)));
  options.signal?.throwIfAborted();
  const skills = fuseTags(tagLists(outcomes)).slice(0, request.maxSkills);
  return { ...language, skills, searchDefaults: searchDefaultsOf(language, request, isOwnEngine) };
}

function searchDefaultsOf(
  { lang, isLangDetected }: TextLanguage,
  { usualLang, query }: PlanRequest,
  isOwnEngine: boolean,
): SkillsOfText['searchDefaults'] {
  if (!isOwnEngine) return { lang };
  const wanted = isLangDetected ? lang : usualLang;
  return wanted === undefined || query.match === 'strict' ? {} : { lang: wanted };
}

function tagLists(outcomes: readonly PromiseSettledResult<Answered<TagSet>>[]): (readonly string[])[] {
  const lists = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value.value.tags] : [],
  );
  if (lists.length > 0) return lists;
  throw outcomes.find((outcome) => outcome.status === 'rejected')!.reason;
}

/** Lists of tags as one, heaviest first: each tag by its ranks in all of them. Tags that differ in case or accents are one.
 *  Source: reciprocal rank fusion, Cormack, Clarke and Büttcher 2009. */
export function fuseTags(lists: readonly (readonly string[])[]): readonly PlannedSkill[] {
  const fused = new Map<string, { readonly label: string; weight: number }>();
  for (const tags of lists) {
    for (const [rank, label] of distinctBy(tags, foldLabel).entries()) {
      const skill = fused.get(foldLabel(label)) ?? { label, weight: 0 };
      skill.weight += 1 / (RANK_OFFSET + rank + 1);
      fused.set(foldLabel(label), skill);
    }
  }
  const skills = [...fused.values()].sort((a, b) => b.weight - a.weight);
  return skills.map(({ label, weight }) => ({ label, weight: weight / skills[0]!.weight }));
}

import type { Answered } from '#domain/answer';
import { foldText, toOneLine } from '#domain/text';
import { AppError, isPassingError } from '#errors';
import type { CallOptions, Suggestion, Term } from '#ports/learning-service';
import type { TenantAnswers } from '../tenant-answers.ts';
import { TAXONOMY_LANGUAGES } from '../text-language.ts';
import type { SkillGroup, SkillResults, SkillsRequest } from './results.ts';

export interface SimilarTerms extends Answered<readonly Term[]> {
  /** Two-letter code of the language of the search. */
  readonly lang: string;
}

/** A service gives this many; the specification has no parameter for the number. */
const USUAL_MAX = 20;

export async function findSkills(
  answers: TenantAnswers,
  request: SkillsRequest,
  options: CallOptions = {},
): Promise<SkillResults> {
  const [similar, suggestions] = await Promise.all([
    findSimilarSkills(answers, request, options),
    suggest(answers, request, options),
  ]);
  const { lang, source } = similar;
  const terms = sortSkillsByScore(similar.value).slice(0, request.max ?? USUAL_MAX);
  return {
    groups: groupSkillsByTaxonomy(terms),
    terms: dropDuplicateSkills(terms, ({ label }) => foldSkillLabel(label)),
    suggestions,
    lang,
    source,
  };
}

/** Terms in the given language; else in the preferred one, or in the one with the best match.
 *  Errors: of `TenantAnswers`, if every language fails; passing ones of the preferred one. */
export async function findSimilarSkills(
  answers: TenantAnswers,
  { prefer, ...request }: SkillsRequest,
  options: CallOptions = {},
): Promise<SimilarTerms> {
  if (request.lang === undefined && prefer !== undefined) {
    const preferred = await findSimilarSkillsIn(answers, { ...request, lang: prefer }, options).catch((error) => {
      // A service may refuse the language. One that is overloaded is not asked for others.
      if (isPassingError(error) || !(error instanceof AppError)) throw error;
      return null;
    });
    if (preferred !== null && preferred.value.length > 0) return preferred;
  }
  return findSimilarSkillsIn(answers, request, options);
}

async function findSimilarSkillsIn(
  answers: TenantAnswers,
  { keywords, lang, max = USUAL_MAX }: SkillsRequest,
  options: CallOptions,
): Promise<SimilarTerms> {
  const ask = async (each: string): Promise<SimilarTerms> => {
    const request = { keywords, lang: each, ...(max > USUAL_MAX && { max }) };
    return { ...(await answers.ask('similar', request, options)), lang: each };
  };
  const outcomes = await Promise.allSettled((lang === undefined ? TAXONOMY_LANGUAGES : [lang]).map(ask));
  options.signal?.throwIfAborted();
  const results = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (results.length > 0) return results.reduce((best, next) => (isBetterSkill(next, best) ? next : best));
  throw findSkillsRejection(outcomes);
}

function isBetterSkill({ value: terms }: SimilarTerms, { value: others }: SimilarTerms): boolean {
  return others.length === 0 ? terms.length > 0 : bestSkillScore(terms) > bestSkillScore(others);
}

const bestSkillScore = (terms: readonly Term[]): number => Math.max(0, ...terms.map(({ score }) => score ?? 0));

function sortSkillsByScore(terms: readonly Term[]): readonly Term[] {
  if (terms.some(({ score }) => score === undefined)) return terms;
  return terms.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
}

function groupSkillsByTaxonomy(terms: readonly Term[]): readonly SkillGroup[] {
  const groups = new Map<string, Term[]>();
  for (const term of terms) groups.set(term.source, [...(groups.get(term.source) ?? []), term]);
  return Array.from(groups, ([taxonomy, members]) => ({
    taxonomy,
    terms: dropDuplicateSkills(members, ({ label }) => foldSkillLabel(label)),
  }));
}

/** None if the experimental operation fails. */
async function suggest(answers: TenantAnswers, { keywords, lang, prefer = lang }: SkillsRequest, options: CallOptions) {
  const request = { keywords, ...(prefer !== undefined && { lang: prefer }) };
  try {
    return (await answers.ask('suggest', request, options)).value.suggestions;
  } catch {
    options.signal?.throwIfAborted();
    return [];
  }
}

/** Suggestions with a lower score are about something else. */
const MIN_CORRECTION_SCORE = 0.7;

/** Suggestions that are probably what the person meant to type: each label once, best first. */
export function listSkillSpellings(suggestions: readonly Suggestion[], keywords: string): readonly Suggestion[] {
  const typed = foldSkillLabel(keywords);
  return dropDuplicateSkills(suggestions, ({ label }) => foldSkillLabel(label)).filter(
    ({ label, score }) => score >= MIN_CORRECTION_SCORE && foldSkillLabel(label) !== typed,
  );
}

/** @example foldSkillLabel(' Données Ouvertes ') // 'donnees ouvertes' */
export const foldSkillLabel = (label: string): string => toOneLine(foldText(label));

/** The first item of each key, in their order. */
export function dropDuplicateSkills<T>(items: Iterable<T>, keyOf: (item: T) => string): T[] {
  const first = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (!first.has(key)) first.set(key, item);
  }
  return [...first.values()];
}

export function findSkillsRejection(outcomes: readonly PromiseSettledResult<unknown>[]): unknown {
  return outcomes.find((outcome) => outcome.status === 'rejected')?.reason;
}

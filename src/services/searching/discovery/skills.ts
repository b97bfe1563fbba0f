import type { Answered } from '#domain/answer';
import { foldText, toOneLine } from '#domain/text';
import { AppError, isPassingError } from '#errors';
import type { CallOptions, Suggestion, Term } from '#ports/learning-service';
import type { TenantAnswers } from '../tenant-answers.ts';
import { TAXONOMY_LANGUAGES } from '../text-language.ts';
import type { SkillGroup, SkillResults, SkillsRequest } from './results.ts';

interface SimilarTerms extends Answered<readonly Term[]> {
  /** Two-letter code of the language of the search. */
  readonly lang: string;
}

/** A service returns as many; the specification has no parameter for the number. */
const USUAL_MAX = 20;

/** Finds skills and other words to search for. Errors: those of `findSimilarSkills`. */
export async function findSkills(
  answers: TenantAnswers,
  request: SkillsRequest,
  options: CallOptions = {},
): Promise<SkillResults> {
  const [similar, suggestions] = await Promise.all([
    findSimilarSkills(answers, request, options),
    suggestWords(answers, request, options),
  ]);
  const { lang, source } = similar;
  const terms = sortSkillsByScore(similar.value).slice(0, request.max ?? USUAL_MAX);
  return {
    groups: groupSkillsByTaxonomy(terms),
    terms: dropDuplicateLabels(terms),
    suggestions,
    lang,
    source,
  };
}

/** Finds terms in the given language; else in the preferred one, or in that with the best match.
 *  Errors: those of `TenantAnswers` if every language fails; passing ones of the preferred one. */
export async function findSimilarSkills(
  answers: TenantAnswers,
  { prefer, ...request }: SkillsRequest,
  options: CallOptions = {},
): Promise<SimilarTerms> {
  if (request.lang === undefined && prefer !== undefined) {
    const preferred = await findSimilarSkillsIn(answers, { ...request, lang: prefer }, options).catch((error) => {
      // A service may refuse the language. An overloaded service is not asked for further ones.
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
  const ask = async (lang: string): Promise<SimilarTerms> => {
    const request = { keywords, lang, ...(max > USUAL_MAX && { max }) };
    return { ...(await answers.ask('similar', request, options)), lang };
  };
  const outcomes = await Promise.allSettled((lang === undefined ? TAXONOMY_LANGUAGES : [lang]).map(ask));
  options.signal?.throwIfAborted();
  const results = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (results.length > 0) return results.reduce((best, next) => (hasBetterSkills(next, best) ? next : best));
  throw findRejection(outcomes);
}

function hasBetterSkills({ value: terms }: SimilarTerms, { value: bestTerms }: SimilarTerms): boolean {
  return bestTerms.length === 0 ? terms.length > 0 : bestSkillScore(terms) > bestSkillScore(bestTerms);
}

const bestSkillScore = (terms: readonly Term[]): number => Math.max(0, ...terms.map(({ score }) => score ?? 0));

function sortSkillsByScore(terms: readonly Term[]): readonly Term[] {
  if (terms.some(({ score }) => score === undefined)) return terms;
  return terms.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
}

function groupSkillsByTaxonomy(terms: readonly Term[]): readonly SkillGroup[] {
  const groups = new Map<string, Term[]>();
  for (const term of terms) groups.set(term.source, [...(groups.get(term.source) ?? []), term]);
  return Array.from(groups, ([taxonomy, members]) => ({ taxonomy, terms: dropDuplicateLabels(members) }));
}

/** Returns no suggestions if the experimental operation fails. */
async function suggestWords(
  answers: TenantAnswers,
  { keywords, lang, prefer = lang }: SkillsRequest,
  options: CallOptions,
): Promise<readonly Suggestion[]> {
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

/** Returns suggestions that the person probably meant to type, each label once, best first. */
export function listSkillSpellings(suggestions: readonly Suggestion[], keywords: string): readonly Suggestion[] {
  return listOtherLabels(suggestions, keywords).filter(({ score }) => score >= MIN_CORRECTION_SCORE);
}

/** Returns the first item of each label, without those of the typed words. */
export function listOtherLabels<T extends { readonly label: string }>(items: readonly T[], keywords: string): T[] {
  const typed = foldSkillLabel(keywords);
  return dropDuplicateLabels(items).filter(({ label }) => foldSkillLabel(label) !== typed);
}

const dropDuplicateLabels = <T extends { readonly label: string }>(items: readonly T[]): T[] =>
  dropDuplicateSkills(items, ({ label }) => foldSkillLabel(label));

/** @example foldSkillLabel(' Données Ouvertes ') // 'donnees ouvertes' */
export const foldSkillLabel = (label: string): string => toOneLine(foldText(label));

/** Returns the first item of each key, in order. */
export function dropDuplicateSkills<T>(items: Iterable<T>, keyOf: (item: T) => string): T[] {
  const first = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (!first.has(key)) first.set(key, item);
  }
  return [...first.values()];
}

/** Returns the reason of the first rejected promise. */
export function findRejection(outcomes: readonly PromiseSettledResult<unknown>[]): unknown {
  return outcomes.find((outcome) => outcome.status === 'rejected')?.reason;
}

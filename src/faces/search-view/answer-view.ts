import type { Provider } from '#domain/catalog';
import type { LearningObjectQuery, QueryFilter } from '#domain/learning-object-query';
import type { QueryWish } from '#domain/query-wishes';
import { AppError } from '#errors';
import type { MissingPart } from '#ports/learning-service';
import type { Discovery } from '#services/searching/discovery';
import type { SearchResult, WaysOut } from '#services/searching/discovery/results';
import type { ObjectWords } from '../object-view/facts.ts';
import { joinNames } from '../words/i18n.ts';
import { isOnlyCloseResult } from './result-groups.ts';

const MAX_NAMES = 5;

/** Returns the count, the quality, the wishes and the notices of an answer in the reader's words.
 *  @param typed the words as they were typed @param providers name those that are missing */
export function toAnswerView(
  result: SearchResult,
  { typed, providers }: { readonly typed: string; readonly providers: readonly Provider[] },
  words: ObjectWords,
) {
  const { t, locale } = words;
  const { totalItems, isTotalExact, quality, wishes = [], ...noticed } = result;
  const isClose = isOnlyCloseResult(result);
  const counted = { count: totalItems, total: totalItems.toLocaleString(locale), words: typed };
  return {
    count: isClose ? t('search.nothingFits', counted) : t(isTotalExact ? 'search.count' : 'search.aboutCount', counted),
    isFound: result.items.length > 0,
    // The page shows wishes by themselves, and that they are only preferred.
    quality: quality === 'B00' && !isClose && wishes.length === 0 ? t('search.quality.B00') : null,
    wishes: wishes.map((wish) => ({ kind: wish.kind, name: nameWish(wish, words) })),
    notices: writeAnswerNotices(noticed, providers, words),
    // The same search may find more later.
    canRetry: result.missing.length > 0 || result.source.freshness === 'stale',
  };
}

type Noticed = Pick<SearchResult, 'missing' | 'source' | 'corrected' | 'wishes' | 'isInOrder'>;

/** Writes what readers should know about an answer, such as missing providers or a correction. */
export function writeAnswerNotices(
  { missing, source, corrected, wishes = [], isInOrder }: Noticed,
  providers: readonly Provider[],
  { t, locale }: Pick<ObjectWords, 't' | 'locale'>,
): string[] {
  const nameMissing = (why: MissingPart['why']) =>
    missing
      .filter((part) => part.why === why)
      .map(({ id }) => providers.find((provider) => provider.id === id)?.name ?? id);
  const join = (names: readonly string[]) => joinNames(names, locale);
  const nameAll = (names: readonly string[]) => {
    const count = names.length - MAX_NAMES;
    return count <= 0 ? join(names) : join([...names.slice(0, MAX_NAMES), t('search.notices.more', { count })]);
  };
  const [late, failed, notAsked] = [nameMissing('late'), nameMissing('failed'), nameMissing('not-asked')];
  const notices: string[] = [];
  if (corrected !== undefined) notices.push(t('search.notices.corrected', { words: corrected }));
  if (wishes.length > 0)
    notices.push(t('search.notices.wishes', { wishes: join(wishes.map((wish) => nameWish(wish, { t, locale }))) }));
  if (isInOrder === false) notices.push(t('search.notices.unordered'));
  if (source.freshness === 'stale')
    notices.push(t('search.notices.stale', { at: formatUtcTime(source.answeredAt, locale) }));
  if (late.length > 0) notices.push(t('search.notices.late', { names: nameAll(late) }));
  if (failed.length > 0) notices.push(t('search.notices.failed', { names: nameAll(failed) }));
  if (notAsked.length > 0) {
    const number = notAsked.length.toLocaleString(locale);
    notices.push(t('search.notices.notAsked', { count: notAsked.length, number }));
  }
  return notices;
}

/** Finds the field of a choice that does not exist, and the key of a hint; else null. */
export function findWrongAnswerChoice(error: unknown): { readonly field: string; readonly hintKey: string } | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === 'PLACE_UNKNOWN') return { field: 'address', hintKey: 'search.problems.placeUnknown' };
  if (error.code === 'PROVIDER_UNKNOWN') return { field: 'provider', hintKey: 'search.problems.providerUnknown' };
  return null;
}

function nameWish(wish: QueryWish, { t, locale }: Pick<ObjectWords, 't' | 'locale'>): string {
  switch (wish.kind) {
    case 'level':
      return t(`search.filters.levels.${wish.level}`);
    case 'type':
      return t(`types.${wish.types[0]}`);
    case 'free':
      return t('learningObject.free');
    case 'length':
      return wish.minutes.toLocaleString(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' });
    case 'place':
      return t('search.wishes.place', { place: wish.name });
    case 'audience':
      return t('search.wishes.audience', { audience: wish.names.join(', ') });
  }
}

/** @example formatUtcTime(at, 'en') // 'Nov 21, 2026, 8:09 AM UTC' */
export const formatUtcTime = (at: Date, locale: string): string =>
  `${at.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

/** Fields of the form that make up a filter, separated by blanks. */
const filterFields: Readonly<Partial<Record<QueryFilter, string>>> = {
  provider: 'provider',
  type: 'type',
  bloom: 'bloom',
  lang: 'lang',
  level: 'level',
  learningTime: 'length',
  free: 'price',
  distance: 'address distance',
  has: 'rights access',
  newerThan: 'since',
};

export async function readAnswerWaysOut(
  discovery: Pick<Discovery, 'findWaysOut'>,
  query: LearningObjectQuery,
  reader: ObjectWords & { readonly signal: AbortSignal },
) {
  return toWaysOutView(await discovery.findWaysOut(query, { signal: reader.signal }), reader);
}

/** Describes what to try after an empty answer: other words, and filters to drop. */
export function toWaysOutView(result: WaysOut, { t, locale }: ObjectWords) {
  const writeTotal = (total: number, isExact: boolean) => (isExact ? ` (${total.toLocaleString(locale)})` : '');
  return {
    otherWords: result.didYouMean.map(({ keywords, keepsFilters, totalItems, isTotalExact }) => ({
      words: keywords,
      keepsFilters,
      howMuch: writeTotal(totalItems, isTotalExact),
    })),
    filters: result.filters.flatMap(({ filter, totalItems, isTotalExact }) => {
      const fields = filterFields[filter];
      if (fields === undefined) return [];
      return [{ fields, name: t(`search.wider.${filter}`), howMuch: writeTotal(totalItems, isTotalExact) }];
    }),
    withoutFilters:
      result.totalWithoutFilters > 0 && result.filters.length === 0
        ? { howMuch: writeTotal(result.totalWithoutFilters, result.isTotalWithoutFiltersExact) }
        : null,
  };
}

import type { AnswerSource } from '#domain/answer';
import type { Provider } from '#domain/catalog';
import type { QueryWish } from '#domain/query-wishes';
import { AppError } from '#errors';
import type { MissingPart } from '#ports/learning-service';
import type { SearchResult } from '#services/searching/discovery/results';
import type { ObjectWords } from '../object-view/facts.ts';
import { isOnlyClose } from './result-groups.ts';

/** What a page says above the results of a search. */
export interface AnswerView {
  /** `1,234 learning objects for “python”`. */
  readonly count: string;
  /** Whether anything fits. */
  readonly isFound: boolean;
  /** The quality of the results in plain words; null where there is nothing to say. */
  readonly quality: string | null;
  /** What the words wish for, and can be taken away. */
  readonly wishes: readonly WishView[];
  /** Notices about results that are for other words, incomplete, or not current. */
  readonly notices: readonly string[];
  /** Whether the same search may find more later. */
  readonly canRetry: boolean;
}

export interface WishView {
  readonly kind: QueryWish['kind'];
  readonly name: string;
}

/** Names of providers in one sentence. */
const MAX_NAMES = 5;

export interface Searched {
  /** As they were typed. */
  readonly typed: string;
  /** For the names of those that are missing. */
  readonly providers: readonly Provider[];
}

export function toAnswerView(result: SearchResult, { typed, providers }: Searched, words: ObjectWords): AnswerView {
  const { t, locale } = words;
  const { totalItems, isTotalExact, quality, wishes = [], ...others } = result;
  const isClose = isOnlyClose(result);
  const counted = { count: totalItems, total: totalItems.toLocaleString(locale), words: typed };
  return {
    count: isClose ? t('search.nothingFits', counted) : t(isTotalExact ? 'search.count' : 'search.aboutCount', counted),
    isFound: result.items.length > 0,
    // Wishes stand there to be taken away, and say themselves that they are only preferred.
    quality: quality === 'B00' && !isClose && wishes.length === 0 ? t('search.quality.B00') : null,
    wishes: wishes.map((wish) => ({ kind: wish.kind, name: nameWish(wish, words) })),
    notices: readAnswerNotices(others, providers, words),
    canRetry: result.missing.length > 0 || result.source.freshness === 'stale',
  };
}

type Noticed = { readonly missing: readonly MissingPart[]; readonly source: AnswerSource } & Pick<
  SearchResult,
  'corrected' | 'wishes' | 'isInOrder'
>;

/** The notices alone, for a face that counts in words of its own. */
export function readAnswerNotices(
  { missing, source, corrected, wishes = [], isInOrder }: Noticed,
  providers: readonly Provider[],
  { t, locale }: Pick<ObjectWords, 't' | 'locale'>,
): string[] {
  const nameMissing = (why: MissingPart['why']) =>
    missing.filter((part) => part.why === why).map(({ id }) => nameProvider(id, providers));
  const join = (names: readonly string[]) => new Intl.ListFormat(locale).format(names);
  const nameAll = (names: readonly string[]) => {
    const rest = names.length - MAX_NAMES;
    return rest <= 0 ? join(names) : join([...names.slice(0, MAX_NAMES), t('search.notices.more', { count: rest })]);
  };
  const [late, failed, notAsked] = [nameMissing('late'), nameMissing('failed'), nameMissing('not-asked')];
  const notices: string[] = [];
  if (corrected !== undefined) notices.push(t('search.notices.corrected', { words: corrected }));
  if (wishes.length > 0)
    notices.push(t('search.notices.wishes', { wishes: join(wishes.map((wish) => nameWish(wish, { t, locale }))) }));
  if (isInOrder === false) notices.push(t('search.notices.unordered'));
  if (source.freshness === 'stale')
    notices.push(t('search.notices.stale', { at: formatTime(source.answeredAt, locale) }));
  if (late.length > 0) notices.push(t('search.notices.late', { names: nameAll(late) }));
  if (failed.length > 0) notices.push(t('search.notices.failed', { names: nameAll(failed) }));
  if (notAsked.length > 0) {
    const number = notAsked.length.toLocaleString(locale);
    notices.push(t('search.notices.notAsked', { count: notAsked.length, number }));
  }
  return notices;
}

/** Of a search that failed because of a choice that does not exist: its field, and what the reader
 *  can do, as a key of words. Null where it failed otherwise. */
export function findWrongChoice(error: unknown): { readonly field: string; readonly words: string } | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === 'PLACE_UNKNOWN') return { field: 'address', words: 'search.problems.placeUnknown' };
  if (error.code === 'PROVIDER_UNKNOWN') return { field: 'provider', words: 'search.problems.providerUnknown' };
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

function nameProvider(id: string, providers: readonly Provider[]): string {
  return providers.find((provider) => provider.id === id)?.name ?? id;
}

function formatTime(at: Date, locale: string): string {
  return `${at.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}

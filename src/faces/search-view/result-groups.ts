import { tiers } from '#domain/answer';
import type { LearningObjectHit, NearMisses, SearchResult } from '#services/searching/discovery/results';
import { hasTypeName, type ObjectWords, writeBloomFact, writeTypeFact } from '../object-view/facts.ts';
import { findLanguageWord } from '../words/language-names.ts';
import type { SearchForm } from './search-form.ts';

/** Cards below a headline, which is null for results that simply fit. */
export type ResultGroup<Item> = { readonly line: string | null; readonly items: readonly Item[] };

/** Groups results by tier, and then those that fit all filters but one. */
export async function toResultGroups<Item>(
  { items, almost }: { readonly items: readonly LearningObjectHit[]; readonly almost: readonly NearMisses[] },
  toItems: (result: readonly LearningObjectHit[]) => Promise<readonly Item[]> | readonly Item[],
  { form, ...words }: ObjectWords & { readonly form: SearchForm },
): Promise<readonly ResultGroup<Item>[]> {
  const isClose = isOnlyCloseResult({ page: form.page, items });
  const byTier = tiers.map((tier) => ({
    line: tier === 'fitting' || isClose ? null : words.t(`search.tiers.${tier}`),
    hits: items.filter((item) => (item.tier ?? 'fitting') === tier),
  }));
  const near = almost.map((nearMisses) => ({
    line: words.t('search.almost.line', { misses: writeResultMiss(nearMisses, form, words) }),
    hits: nearMisses.items,
  }));
  const groups = [...byTier, ...near].filter(({ hits }) => hits.length > 0);
  return Promise.all(groups.map(async ({ line, hits }) => ({ line, items: await toItems(hits) })));
}

/** Tells whether nothing fits, so that the results are only the closest ones. */
export const isOnlyCloseResult = ({ page, items }: Pick<SearchResult, 'page' | 'items'>): boolean =>
  page === 0 && items.length > 0 && items.every(({ tier }) => tier === 'close');

/** Writes why results almost fit: which filter they miss. */
function writeResultMiss(
  { filter, isCertain }: Pick<NearMisses, 'filter' | 'isCertain'>,
  { type: [type = ''], bloom: [bloom = ''], level, length, price, lang, address, distance, since }: SearchForm,
  { t, locale }: ObjectWords,
): string {
  if (!isCertain) return t(`search.almost.unknown.${filter}`);
  switch (filter) {
    case 'type':
      return hasTypeName(type)
        ? t(`search.almost.type.${type}`)
        : t('search.almost.otherType', { name: writeTypeFact(type, t) });
    case 'level':
      return t(`search.almost.level.${level}`);
    case 'learningTime':
      return t(`search.almost.length.${length}`);
    case 'free':
      return t(`search.almost.price.${price}`);
    case 'lang':
      return t('search.almost.lang', { language: findLanguageWord(lang, locale) });
    case 'bloom':
      return t('search.almost.bloom', { name: writeBloomFact(bloom, t) });
    case 'newerThan':
      return t('search.almost.newerThan', { year: since });
    case 'distance':
      return t('search.almost.distance', { km: distance, place: address });
    default:
      return t('search.almost.provider');
  }
}

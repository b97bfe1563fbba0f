import type { LearningObjectQuery, QueryFilter } from '#domain/learning-object-query';
import type { Discovery } from '#services/searching/discovery';
import type { WaysOut } from '#services/searching/discovery/results';
import type { ObjectWords } from '../object-view/facts.ts';

/** Other words to search for. */
export interface OtherWords {
  readonly words: string;
  /** Whether the filters are kept. */
  readonly keepsFilters: boolean;
  /** In brackets where it is known for sure; else empty. */
  readonly howMuch: string;
}

/** What a page offers where nothing was found. */
export interface WaysOutView {
  readonly otherWords: readonly OtherWords[];
  /** Filters to drop, by the names of their fields in the form. */
  readonly filters: readonly { readonly fields: string; readonly name: string; readonly howMuch: string }[];
  readonly withoutFilters: { readonly howMuch: string } | null;
}

/** Fields of the form that make up a filter; other filters are not in the form. */
const fieldsOf: Readonly<Partial<Record<QueryFilter, string>>> = {
  provider: 'provider',
  type: 'type',
  bloom: 'bloom',
  lang: 'lang',
  level: 'level',
  learningTime: 'length',
  free: 'price',
  distance: 'address distance',
};

export async function readWaysOut(
  discovery: Pick<Discovery, 'findWaysOut'>,
  query: LearningObjectQuery,
  reader: ObjectWords & { readonly signal: AbortSignal },
): Promise<WaysOutView> {
  return toWaysOutView(await discovery.findWaysOut(query, { signal: reader.signal }), reader);
}

export function toWaysOutView(result: WaysOut, { t, locale }: ObjectWords): WaysOutView {
  const howMuch = (total: number, isExact: boolean) => (isExact ? ` (${total.toLocaleString(locale)})` : '');
  return {
    otherWords: result.didYouMean.map(({ keywords, keepsFilters, totalItems, isTotalExact }) => ({
      words: keywords,
      keepsFilters,
      howMuch: howMuch(totalItems, isTotalExact),
    })),
    filters: result.filters.flatMap(({ filter, totalItems, isTotalExact }) => {
      const fields = fieldsOf[filter];
      if (fields === undefined) return [];
      return [{ fields, name: t(`search.wider.${filter}`), howMuch: howMuch(totalItems, isTotalExact) }];
    }),
    withoutFilters:
      result.totalWithoutFilters > 0 && result.filters.length === 0
        ? { howMuch: howMuch(result.totalWithoutFilters, result.isTotalWithoutFiltersExact) }
        : null,
  };
}

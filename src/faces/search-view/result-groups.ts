import type { AlmostFound, FoundObject } from '../../services/discovery/results.ts';
import { isKnownType, type ObjectWords, writeBloomFact, writeTypeFact } from '../object-view/facts.ts';
import { findLanguageWord } from '../words/language-names.ts';
import type { SearchForm } from './search-form.ts';

/** Cards below one line, which says what they are; null for what simply fits. */
export interface ResultGroup<Item> {
  readonly line: string | null;
  readonly items: readonly Item[];
}

/** What fits, and then what almost does, each below a line that names what does not fit. */
export async function toResultGroups<Item>(
  { items, almost }: { readonly items: readonly FoundObject[]; readonly almost: readonly AlmostFound[] },
  toItems: (found: readonly FoundObject[]) => Promise<readonly Item[]> | readonly Item[],
  { form, ...words }: ObjectWords & { readonly form: SearchForm },
): Promise<readonly ResultGroup<Item>[]> {
  const near = await Promise.all(
    almost.map(async (each) => ({
      line: words.t('search.almost.line', { misses: writeMiss(each, form, words) }),
      items: await toItems(each.items),
    })),
  );
  return [...(items.length > 0 ? [{ line: null, items: await toItems(items) }] : []), ...near];
}

function writeMiss(
  { filter, isKnown }: Pick<AlmostFound, 'filter' | 'isKnown'>,
  { type: [type = ''], bloom: [bloom = ''], level, length, price, lang, address, distance }: SearchForm,
  { t, locale }: ObjectWords,
): string {
  if (!isKnown) return t(`search.almost.unknown.${filter}`);
  switch (filter) {
    case 'type':
      return isKnownType(type)
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
    case 'distance':
      return t('search.almost.distance', { km: distance, place: address });
    default:
      return t('search.almost.provider');
  }
}

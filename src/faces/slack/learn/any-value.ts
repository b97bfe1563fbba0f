import type { Preferences } from '../../../domain/person.ts';
import type { SearchDefaults } from '../../../domain/tenant.ts';
import { foldText } from '../../../domain/text.ts';
import type { TypedKey, TypedSearch } from '../text/parse-learn.ts';

/** What takes back what a search begins with: `lang:any`. Folded, in English and French. */
const anyWords: ReadonlySet<string> = new Set(['any', 'all', 'tous', 'toutes']);

export interface Beginning {
  readonly preferences: Preferences;
  readonly defaults: SearchDefaults;
}

/** Without the filters that are typed as any, and without what the search would begin with for them. */
export function takeBack(
  typed: TypedSearch,
  { preferences, defaults }: Beginning,
): Beginning & { readonly typed: TypedSearch } {
  const isAny = (values: readonly string[]) => values.every((value) => anyWords.has(foldText(value)));
  const open = new Set<TypedKey>(typed.filters.flatMap(({ key, values }) => (isAny(values) ? [key] : [])));
  return {
    typed: { ...typed, filters: typed.filters.filter(({ values }) => !isAny(values)) },
    preferences: {
      ...preferences,
      ...(open.has('lang') && { lang: null }),
      ...(open.has('level') && { level: null }),
      ...(open.has('type') && { types: [] }),
      ...(open.has('provider') && { providers: [] }),
    },
    defaults: {
      ...defaults,
      ...(open.has('lang') && { lang: null }),
      ...(open.has('provider') && { providers: [] }),
      ...(open.has('price') && { freeOnly: false }),
    },
  };
}

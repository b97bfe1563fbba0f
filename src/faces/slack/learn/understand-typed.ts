import type { Preferences } from '#domain/person';
import type { SearchDefaults } from '#domain/tenant';
import { foldText } from '#domain/text';
import type { Languages } from '#faces/words/i18n';
import type { SlackFaceDeps } from '../deps.ts';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import { parseLearn, type TypedKey, type TypedSearch } from './parse-learn.ts';
import { type Understood, understandSearch } from './understand.ts';
import { nameValues } from './value-names.ts';

/** What was typed, under what the person prefers and the tenant begins with. */
export async function understandTyped(
  { tenants, languages }: Pick<SlackFaceDeps, 'tenants'> & { readonly languages: Languages },
  context: SlackContext,
  typed: string,
): Promise<Understood> {
  const [{ defaults }, preferences, lists, words] = await Promise.all([
    tenants.getTenant(context.owner.tenantId),
    context.preferences(),
    context.discovery.lists({ timeoutMs: LISTS_MS }),
    context.words(),
  ]);
  const { typed: search, ...beginning } = dropAnyValues(parseLearn(typed), { preferences, defaults });
  return understandSearch(search, { names: nameValues(lists, languages), ...beginning, words });
}

/** What takes back what a search begins with: `lang:any`. Folded, in English and French. */
const anyWords: ReadonlySet<string> = new Set(['any', 'all', 'tous', 'toutes']);

interface Beginning {
  readonly preferences: Preferences;
  readonly defaults: SearchDefaults;
}

/** Without the filters that are typed as any, and without what the search would begin with for them. */
function dropAnyValues(
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

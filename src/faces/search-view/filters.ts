import type { Logo, Provider } from '../../domain/catalog.ts';
import {
  distances,
  lengths,
  levels,
  PLACED_TYPE,
  popularities,
  prices,
} from '../../domain/learning-object-query.ts';
import type { PictureLinks } from '../../domain/picture.ts';
import type { SearchDefaults } from '../../domain/tenant.ts';
import type { Discovery } from '../../services/discovery/discovery.ts';
import type { ListName, Lists } from '../../services/discovery/results.ts';
import { type ObjectWords, writeBloomFact, writeTypeFact } from '../object-view/facts.ts';
import { findLanguageName } from '../words/language-names.ts';
import { MAX_ADDRESS_LENGTH } from './search-form.ts';

export interface FilterChoice {
  readonly value: string;
  readonly name: string;
  readonly isChosen: boolean;
}

interface ProviderChoice extends FilterChoice {
  /** Logos for light and dark pages; null where there are none. */
  readonly logos: (Readonly<Record<Logo['colorScheme'], string>> & { readonly isSquare: boolean }) | null;
}

/** The choices of each filter, in the reader's words. */
export interface FiltersView {
  readonly providers: readonly ProviderChoice[];
  readonly types: readonly FilterChoice[];
  readonly blooms: readonly FilterChoice[];
  readonly languages: readonly FilterChoice[];
  /** Lists that could not be had in time. */
  readonly missing: readonly ListName[];
  readonly defaults: SearchDefaults;
  readonly ranges: typeof ranges;
  readonly placedType: string;
  readonly maxAddressLength: number;
}

const ranges = {
  levels: Object.keys(levels),
  lengths: Object.keys(lengths),
  popularities: Object.keys(popularities),
  prices,
  distances,
};

export interface FiltersScope extends ObjectWords {
  /** What a tenant's people begin with chosen. */
  readonly defaults: SearchDefaults;
  readonly pictures: PictureLinks;
}

export interface FiltersRequest extends FiltersScope {
  readonly discovery: Pick<Discovery, 'lists'>;
  readonly signal: AbortSignal;
  /** Lists that take longer are missing. */
  readonly timeoutMs: number;
}

export async function readFilters({
  discovery,
  signal,
  timeoutMs,
  ...scope
}: FiltersRequest): Promise<FiltersView> {
  return toFiltersView(await discovery.lists({ signal, timeoutMs }), scope);
}

export function toFiltersView(lists: Lists, scope: FiltersScope): FiltersView {
  const { defaults, t, locale } = scope;
  const byName = (a: FilterChoice, b: FilterChoice) => a.name.localeCompare(b.name, locale);
  return {
    providers: toProviderChoices(lists, scope).sort(byName),
    types: lists.types
      .map(({ value }) => ({ value, name: writeTypeFact(value, t), isChosen: false }))
      .sort(byName),
    blooms: lists.blooms.map(({ value }) => ({ value, name: writeBloomFact(value, t), isChosen: false })),
    languages: listCodes(lists, defaults)
      .map((value) => ({ value, name: findLanguageName(value, locale), isChosen: value === defaults.lang }))
      .sort(byName),
    missing: lists.missing,
    defaults,
    ranges,
    placedType: PLACED_TYPE,
    maxAddressLength: MAX_ADDRESS_LENGTH,
  };
}

/** A preset choice can be removed even where the service does not list it now. */
function toProviderChoices({ providers }: Lists, { defaults, pictures }: FiltersScope): ProviderChoice[] {
  const listed = providers.map(
    ({ id, name, logos }: Provider): ProviderChoice => ({
      value: id,
      name,
      isChosen: defaults.providers.includes(id),
      logos: chooseLogos(logos, pictures),
    }),
  );
  const others = defaults.providers.filter((id) => !listed.some(({ value }) => value === id));
  return [...listed, ...others.map((id) => ({ value: id, name: id, isChosen: true, logos: null }))];
}

function listCodes({ languages }: Lists, { lang }: SearchDefaults): string[] {
  return [...new Set([...languages.map(({ value }) => value), ...(lang === null ? [] : [lang])])];
}

/** Square ones fit beside the name; a wide one is still better than none. */
function chooseLogos(logos: readonly Logo[], pictures: PictureLinks): ProviderChoice['logos'] {
  const [square, wide] = (['square', 'landscape'] as const).map((aspectRatio) => {
    const fitting = logos.filter((logo) => logo.aspectRatio === aspectRatio);
    const find = (scheme: Logo['colorScheme']) => {
      const logo = fitting.find(({ colorScheme }) => colorScheme === scheme);
      return (logo && pictures.linkToKept(logo.url)?.small) ?? null;
    };
    const [light, dark] = [find('light') ?? find('dark'), find('dark') ?? find('light')];
    return light === null || dark === null ? null : { light, dark, isSquare: aspectRatio === 'square' };
  });
  return square ?? wide ?? null;
}

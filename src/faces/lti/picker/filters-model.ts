import type { Logo, Provider } from '../../../domain/catalog.ts';
import {
  distances,
  lengths,
  levels,
  PLACED_TYPE,
  popularities,
  prices,
} from '../../../domain/learning-object-query.ts';
import type { SearchDefaults } from '../../../domain/tenant.ts';
import type { Discovery, ListName, Lists } from '../../../services/discovery/discovery.ts';
import { bloomName, typeName } from '../../object-view/facts.ts';
import { languageName } from '../../words/language-names.ts';
import type { LaunchContext } from '../route.ts';
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

/** What `views/lti/partials/filters.eta` shows. */
export interface FiltersModel {
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

export interface FiltersRequest extends Pick<LaunchContext, 't' | 'locale' | 'signal'> {
  readonly discovery: Pick<Discovery, 'lists'>;
  readonly defaults: SearchDefaults;
  readonly publicUrl: string;
  /** Lists that take longer are missing. */
  readonly timeoutMs: number;
}

/** What can be chosen, with what a tenant's people begin with chosen. */
export async function readFilters(request: FiltersRequest): Promise<FiltersModel> {
  const { discovery, defaults, t, locale, signal, timeoutMs } = request;
  const lists = await discovery.lists({ signal, timeoutMs });
  const byName = (a: FilterChoice, b: FilterChoice) => a.name.localeCompare(b.name, locale);
  return {
    providers: readProviders(lists, request).sort(byName),
    types: lists.types
      .map(({ value }) => ({ value, name: typeName(value, t), isChosen: false }))
      .sort(byName),
    blooms: lists.blooms.map(({ value }) => ({ value, name: bloomName(value, t), isChosen: false })),
    languages: readCodes(lists, defaults)
      .map((value) => ({ value, name: languageName(value, locale), isChosen: value === defaults.lang }))
      .sort(byName),
    missing: lists.missing,
    defaults,
    ranges,
    placedType: PLACED_TYPE,
    maxAddressLength: MAX_ADDRESS_LENGTH,
  };
}

/** What is chosen to begin with can be taken away, also where the service does not list it now. */
function readProviders({ providers }: Lists, { defaults, publicUrl }: FiltersRequest): ProviderChoice[] {
  const listed = providers.map(
    ({ id, name, logos }: Provider): ProviderChoice => ({
      value: id,
      name,
      isChosen: defaults.providers.includes(id),
      logos: chooseLogos(logos, publicUrl),
    }),
  );
  const others = defaults.providers.filter((id) => !listed.some(({ value }) => value === id));
  return [...listed, ...others.map((id) => ({ value: id, name: id, isChosen: true, logos: null }))];
}

function readCodes({ languages }: Lists, { lang }: SearchDefaults): string[] {
  return [...new Set([...languages.map(({ value }) => value), ...(lang === null ? [] : [lang])])];
}

/** Square ones fit beside the name; a wide one is still better than none. */
function chooseLogos(logos: readonly Logo[], publicUrl: string): ProviderChoice['logos'] {
  const [square, wide] = (['square', 'landscape'] as const).map((aspectRatio) => {
    const fitting = logos.filter((logo) => logo.aspectRatio === aspectRatio);
    const find = (scheme: Logo['colorScheme']) =>
      toShown(fitting.find(({ colorScheme }) => colorScheme === scheme)?.url, publicUrl);
    const [light, dark] = [find('light') ?? find('dark'), find('dark') ?? find('light')];
    return light === null || dark === null ? null : { light, dark, isSquare: aspectRatio === 'square' };
  });
  return square ?? wide ?? null;
}

/** An address that the page may show: of this host, by whichever name it was reached, or over https. */
function toShown(url: string | undefined, publicUrl: string): string | null {
  if (url === undefined) return null;
  if (url.startsWith(`${publicUrl}/`)) return url.slice(publicUrl.length);
  return url.startsWith('https:') ? url : null;
}

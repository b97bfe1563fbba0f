import type { ListEntry, Logo, Provider } from '#domain/catalog';
import type { PictureLinks } from '#domain/picture';
import type { Languages, Translate } from '#faces/words/i18n';
import { findLanguageName } from '#faces/words/language-names';
import type { LearningService } from '#ports/learning-service';
import { explainUpstreamError, type UpstreamFailure } from '../forms/error-words.ts';

/** The service of a tenant, found when it is needed. */
type FindLearning = () => Promise<LearningService>;

export interface ProviderChoice {
  readonly id: string;
  readonly name: string;
  /** Logos for light and dark pages; null if the service has none. */
  readonly logos: { readonly light: string; readonly dark: string } | null;
  /** Whether the service lists the provider; false only for a chosen one. */
  readonly isListed: boolean;
}

export interface Choices {
  readonly providers: readonly ProviderChoice[];
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  /** Why the service returned no choices; null if it did. */
  readonly failure: UpstreamFailure | null;
}

export interface ChoicesOptions {
  readonly locale: string;
  readonly t: Translate;
  readonly languages: Languages;
  readonly pictures: PictureLinks;
  /** What is chosen now is always among the choices. */
  readonly chosen: { readonly providers: readonly string[]; readonly lang: string };
}

/** Lists the options of the defaults. A failure of the service becomes `failure`, as the settings
 *  must stay accessible while the service is down. */
export async function readChoices(findLearning: FindLearning, options: ChoicesOptions): Promise<Choices> {
  const { locale, pictures, chosen } = options;
  const lists = await readLists(findLearning, options);
  const listed = lists.providers.map(
    ({ id, name, logos }): ProviderChoice => ({
      id,
      name,
      logos: chooseLogos(logos, pictures),
      isListed: true,
    }),
  );
  const missing = chosen.providers
    .filter((id) => !listed.some((provider) => provider.id === id))
    .map((id): ProviderChoice => ({ id, name: id, logos: null, isListed: false }));
  const codes = new Set([...lists.languages.map(({ value }) => value), chosen.lang]);
  const languages = [...codes]
    .filter((code) => /^[a-z]{2}$/.test(code))
    .map((code) => ({ code, name: findLanguageName(code, locale) }));
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name, locale);
  return {
    providers: [...missing.sort(byName), ...listed.sort(byName)],
    languages: languages.sort(byName),
    failure: lists.failure,
  };
}

interface Lists {
  readonly providers: readonly Provider[];
  readonly languages: readonly ListEntry[];
  readonly failure: UpstreamFailure | null;
}

async function readLists(findLearning: FindLearning, { t, languages }: ChoicesOptions): Promise<Lists> {
  try {
    const learning = await findLearning();
    const [providers, codes] = await Promise.all([
      learning.ask('listProviders', {}),
      learning.ask('listLanguages', {}),
    ]);
    return { providers, languages: codes, failure: null };
  } catch (error) {
    return { providers: [], languages: [], failure: explainUpstreamError(error, t, languages) };
  }
}

/** Prefers square logos, as the name is beside them. */
function chooseLogos(logos: readonly Logo[], pictures: PictureLinks): ProviderChoice['logos'] {
  const find = (scheme: Logo['colorScheme']) => {
    const logo =
      logos.find(({ colorScheme, aspectRatio }) => colorScheme === scheme && aspectRatio === 'square') ??
      logos.find(({ colorScheme }) => colorScheme === scheme);
    return (logo && pictures.linkToStored(logo.url)?.small) ?? null;
  };
  const [light, dark] = [find('light') ?? find('dark'), find('dark') ?? find('light')];
  return light === null || dark === null ? null : { light, dark };
}

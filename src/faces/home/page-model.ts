import { MAX_TEXT_LENGTH } from '../../domain/text.ts';
import type { ListName } from '../../services/discovery/discovery.ts';
import { capitalise } from '../object-view/facts.ts';
import type { HomeFaceDeps } from './home-face.ts';
import { toLogoView } from './provider-logos.ts';
import { addressOf, MAX_WORDS_LENGTH, readSearchForm, type SearchForm } from './search-form.ts';
import { howMuch, widerBy } from './wider.ts';

const EXAMPLES = [
  'data analysis',
  'first aid',
  'Python',
  'développement web',
  'project management',
  'español',
  'chemical safety',
];

type ChoiceName = 'provider' | 'type' | 'lang';

/** Where the values of a choice are from. */
const listOf = { provider: 'providers', type: 'types', lang: 'languages' } as const satisfies Record<
  ChoiceName,
  ListName
>;

/** The page is not kept waiting longer for what can be chosen on it. */
const LISTS_MS = 1_500;

/** What `views/home.eta` shows whether or not there was a search.
 *  @param signal aborted when nobody waits for the page any more */
export async function readPageModel(
  { discovery, publicUrl, demoKey, demoPath, faces, sizes }: HomeFaceDeps,
  form: SearchForm,
  signal: AbortSignal,
) {
  const [lists, sizesNow, facesNow] = await Promise.all([
    discovery.lists({ signal, timeoutMs: LISTS_MS }),
    sizes(),
    faces(),
  ]);
  const providers = [...lists.providers].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return {
    form,
    publicUrl,
    demoKey,
    demoPath,
    faces: facesNow,
    sizes: sizesNow,
    providers,
    logos: providers.map((provider) => toLogoView(provider, publicUrl)),
    types: lists.types,
    languages: lists.languages,
    /** What was chosen of a list that cannot be had now: it stays chosen. */
    keptChoice: (name: ChoiceName) => (lists.missing.includes(listOf[name]) ? form[name] : ''),
    examples: EXAMPLES,
    addressOf: (changes: Partial<SearchForm>) => addressOf(form, changes),
    addressOfWords: (q: string) => addressOf({ ...form, q }),
    addressOfWordsAlone: (q: string) => addressOf(readSearchForm('/'), { q }),
    widerBy,
    howMuch,
    capitalise,
    maxWordsLength: MAX_WORDS_LENGTH,
    maxTextLength: MAX_TEXT_LENGTH,
    notices: [] as readonly string[],
    countOf: () => '',
  };
}

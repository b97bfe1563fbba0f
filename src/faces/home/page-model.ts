import { MAX_TEXT_LENGTH } from '../../domain/tagger.ts';
import { isPassing } from '../../errors.ts';
import type { Discovery, Lists } from '../../services/discovery.ts';
import type { HomeFaceDeps } from './home-face.ts';
import { capitalise } from './result-view.ts';
import { addressOf, MAX_WORDS_LENGTH, readSearchForm, type SearchForm } from './search-form.ts';
import { widerBy } from './wider.ts';

const EXAMPLES = [
  'data analysis',
  'first aid',
  'Python',
  'développement web',
  'project management',
  'español',
  'chemical safety',
];

/** What `views/home.eta` shows whether or not there was a search. */
export async function readPageModel(
  { discovery, publicUrl, demoKey, faces, sizes }: HomeFaceDeps,
  form: SearchForm,
) {
  const [{ providers, types, languages }, sizesNow] = await Promise.all([readLists(discovery), sizes()]);
  return {
    form,
    publicUrl,
    demoKey,
    faces,
    sizes: sizesNow,
    providers: [...providers].sort((a, b) => a.name.localeCompare(b.name, 'en')),
    types,
    languages,
    examples: EXAMPLES,
    addressOf: (changes: Partial<SearchForm>) => addressOf(form, changes),
    addressOfWords: (q: string) => addressOf({ ...form, q }),
    addressOfWordsAlone: (q: string) => addressOf(readSearchForm('/'), { q }),
    widerBy,
    capitalise,
    maxWordsLength: MAX_WORDS_LENGTH,
    maxTextLength: MAX_TEXT_LENGTH,
    notices: [] as readonly string[],
    countOf: () => '',
  };
}

const NO_LISTS: Lists = { providers: [], types: [], blooms: [], languages: [] };

/** Nothing to choose from where a service cannot say now: words can still be searched for. */
async function readLists(discovery: Discovery): Promise<Lists> {
  try {
    return await discovery.lists();
  } catch (error) {
    if (isPassing(error)) return NO_LISTS;
    throw error;
  }
}

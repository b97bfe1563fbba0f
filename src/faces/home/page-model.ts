import { MAX_TEXT_LENGTH } from '../../domain/tagger.ts';
import type { HomeFaceDeps } from './home-face.ts';
import { capitalise } from './result-view.ts';
import { addressOf, MAX_WORDS_LENGTH, type SearchForm } from './search-form.ts';

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
  const { providers, types, languages } = await discovery.lists();
  return {
    form,
    publicUrl,
    demoKey,
    faces,
    sizes: sizes(),
    providers: [...providers].sort((a, b) => a.name.localeCompare(b.name, 'en')),
    types,
    languages,
    examples: EXAMPLES,
    addressOf: (changes: Partial<SearchForm>) => addressOf(form, changes),
    addressOfWords: (q: string) => addressOf({ ...form, q }),
    capitalise,
    maxWordsLength: MAX_WORDS_LENGTH,
    maxTextLength: MAX_TEXT_LENGTH,
    countOf: () => '',
  };
}

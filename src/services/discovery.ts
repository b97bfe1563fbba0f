import type { LearningObjectQuery } from '../domain/learning-object-query.ts';
import type { ListEntry, Provider } from '../domain/lists.ts';
import type {
  LearningService,
  SearchAnswer,
  SuggestAnswer,
  TagSet,
  Term,
} from '../ports/learning-service.ts';

/** The lists people choose from. */
export interface Lists {
  readonly providers: readonly Provider[];
  readonly types: readonly ListEntry[];
  readonly blooms: readonly ListEntry[];
  readonly languages: readonly ListEntry[];
}

/** Finding skills and learning objects, for every face that people use. */
export interface Discovery {
  /** Errors: PROVIDER_UNKNOWN, PLACE_UNKNOWN. */
  searchLearningObjects(query: LearningObjectQuery): Promise<SearchAnswer>;
  /** Terms like the keywords. Without `lang`, in the language in which the keywords are found best. */
  findSkills(keywords: string, max: number, lang?: string): Promise<readonly Term[]>;
  tagText(text: string, lang: string): Promise<TagSet>;
  complete(keywords: string): Promise<SuggestAnswer>;
  lists(): Promise<Lists>;
}

/** The languages of the taxonomies, the one that wins a tie first. */
const GUESSED_LANGUAGES = ['en', 'fr'];

export function createDiscovery(learning: LearningService): Discovery {
  return {
    searchLearningObjects: (query) => learning.searchProvider(query, { withDetails: true }),
    async findSkills(keywords, max, lang) {
      const langs = lang === undefined ? GUESSED_LANGUAGES : [lang];
      const found = await Promise.all(langs.map((each) => learning.similar({ keywords, lang: each, max })));
      return found.reduce((best, terms) => ((terms[0]?.score ?? 0) > (best[0]?.score ?? 0) ? terms : best));
    },
    tagText: (text, lang) => learning.tagger({ text, lang }),
    complete: (keywords) => learning.suggest({ keywords }),
    async lists() {
      const [providers, types, blooms, languages] = await Promise.all([
        learning.listProviders(),
        learning.listTypes(),
        learning.listBlooms(),
        learning.listLanguages(),
      ]);
      return { providers, types, blooms, languages };
    },
  };
}

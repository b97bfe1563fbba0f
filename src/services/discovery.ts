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
  /** Errors: PROVIDER_UNKNOWN, ADDRESS_UNKNOWN. */
  searchLearningObjects(query: LearningObjectQuery): Promise<SearchAnswer>;
  findSkills(keywords: string, lang: string, max: number): Promise<readonly Term[]>;
  tagText(text: string, lang: string): Promise<TagSet>;
  complete(keywords: string): Promise<SuggestAnswer>;
  lists(): Promise<Lists>;
}

export function createDiscovery(learning: LearningService): Discovery {
  return {
    searchLearningObjects: (query) => learning.searchProvider(query),
    findSkills: (keywords, lang, max) => learning.similar({ keywords, lang, max }),
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

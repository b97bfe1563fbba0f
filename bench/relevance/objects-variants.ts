import type { ConceptRecord, LearningObjectRecord } from '../../src/adapters/catalog/catalog-schema.ts';
import { createGazetteer } from '../../src/adapters/local/gazetteer.ts';
import { type SearchDeps, searchLearningObjects } from '../../src/adapters/local/search-learning-objects.ts';
import { toObjectDocument } from '../../src/adapters/local/versions/build-version.ts';
import { createObjectIndex } from '../../src/engine/objects/object-index.ts';
import type { Expansion, ObjectDocument } from '../../src/engine/objects/types.ts';
import { buildTermData } from '../../src/engine/terms/build-term-data/build-term-data.ts';
import { openTermIndex } from '../../src/engine/terms/term-index.ts';
import { type JudgedQuery, toSearch } from './judgments.ts';
import type { Ranker } from './objects.ts';

/** The ranking with one way left out in turn. */
export function createVariants(
  objects: readonly LearningObjectRecord[],
  concepts: readonly ConceptRecord[],
): [name: string, ranker: Ranker][] {
  const documents = objects.map((record) => toObjectDocument(record));
  const terms = openTermIndex(buildTermData(concepts, { mainSource: 'Skilldock', phrases: [] }));
  const expand: SearchDeps['expand'] = (words, lang) => terms.expansionsOf(words, lang);
  const expandWith =
    (change: (expansion: Expansion) => Expansion): SearchDeps['expand'] =>
    (words, lang) =>
      expand(words, lang).map(change);
  const rankerOf = (
    over: readonly ObjectDocument[],
    deps: Partial<SearchDeps> = {},
    change: (judged: JudgedQuery) => ReturnType<typeof toSearch> = toSearch,
  ): Ranker => {
    const index = createObjectIndex();
    index.put(over);
    return async (judged) => {
      const { answer } = await searchLearningObjects(change(judged), {
        objects: index,
        geocoder: createGazetteer([]),
        clock: { now: () => new Date() },
        expand,
        ...deps,
      });
      return answer.hits.map(({ id }) => id);
    };
  };
  return [
    ['with everything', rankerOf(documents)],
    ['without synonyms', rankerOf(documents, { expand: expandWith((own) => ({ ...own, synonyms: [] })) })],
    ['without related', rankerOf(documents, { expand: expandWith((own) => ({ ...own, related: [] })) })],
    ['without either', rankerOf(documents, { expand: () => [] })],
    ['without popularity', rankerOf(documents.map(({ popularity: _, ...rest }) => rest))],
    ['without keywords', rankerOf(documents.map((document) => ({ ...document, keywords: [] })))],
    ['without descriptions', rankerOf(documents.map((document) => ({ ...document, description: '' })))],
    [
      'without stemming',
      rankerOf(
        documents.map((document) => ({ ...document, lang: unstemmed(document.lang) })),
        {},
        (judged) => toSearch(judged.lang === undefined ? judged : { ...judged, lang: unstemmed(judged.lang) }),
      ),
    ],
    ['without guesses (strict model)', rankerOf(documents, {}, (judged) => ({ ...toSearch(judged), model: 'strict' }))],
  ];
}

/** A code that no stemmer knows. */
function unstemmed(lang: string): string {
  return `${lang}-x`;
}

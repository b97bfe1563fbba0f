import { createObjectIndex, type ObjectIndex } from '../../../src/engine/objects/object-index.ts';
import type { ObjectDocument, ObjectQuery } from '../../../src/engine/objects/types.ts';

/** A document of which nothing is known but what a test says. */
export function makeDocument(facts: Partial<ObjectDocument> & { readonly id: string }): ObjectDocument {
  return {
    title: '',
    keywords: [],
    description: '',
    publishers: [],
    authors: [],
    lang: 'en',
    provider: 'alpha',
    types: [],
    blooms: [],
    ...facts,
  };
}

export function makeQuery(wanted: Partial<ObjectQuery>): ObjectQuery {
  return {
    keywords: '',
    model: 'extended',
    filters: {},
    sort: 'popularity',
    offset: 0,
    limit: 10,
    ...wanted,
  };
}

export function indexOf(...documents: readonly ObjectDocument[]): ObjectIndex {
  const index = createObjectIndex();
  index.put(documents);
  return index;
}

/** Ids of the hits, best first. */
export function findIds(index: ObjectIndex, wanted: Partial<ObjectQuery>): string[] {
  return index.search(makeQuery(wanted)).hits.map(({ id }) => id);
}

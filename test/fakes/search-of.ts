import type { LearningObjectQuery } from '../../src/domain/learning-object-query.ts';

/** A search with the defaults of the specification, in all providers unless the changes say otherwise. */
export function searchOf(changes: Partial<LearningObjectQuery> = {}): LearningObjectQuery {
  return {
    keywords: 'python',
    lang: 'en',
    providers: [],
    types: [],
    blooms: [],
    sort: 'popularity',
    match: 'best-effort',
    model: 'strict',
    max: 10,
    page: 0,
    important: new Set(),
    ...changes,
  };
}

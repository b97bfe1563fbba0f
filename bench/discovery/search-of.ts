import type { LearningObjectQuery } from '../../src/domain/learning-object-query.ts';

/** A search of one provider of the fake upstream, unless the changes say otherwise. */
export function searchOf(changes: Partial<LearningObjectQuery> = {}): LearningObjectQuery {
  return {
    keywords: 'python',
    lang: 'en',
    providers: ['tube'],
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

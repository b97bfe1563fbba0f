import type { Quality } from '../../../../src/domain/answer.ts';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import type { LearningObjectQuery } from '../../../../src/domain/learning-object-query.ts';
import type { OperationHandlers } from '../../../../src/ports/learning-service.ts';
import {
  createFakeLearningService,
  fullObject,
  type HandlerService,
  KNOWN_REQUEST_ID,
} from '../../../fakes/learning-service.ts';

export function manyObjects(count: number, changes: Partial<LearningObject> = {}): LearningObject[] {
  return Array.from({ length: count }, (_, index) => ({
    ...fullObject,
    title: `Course ${index + 1}`,
    url: `https://example.org/courses/${index + 1}`,
    ...changes,
  }));
}

export interface ScriptedService extends HandlerService {
  readonly queries: LearningObjectQuery[];
}

/** Gives these objects whatever is searched for, page by page, but for the word "nothing". */
export function serviceWith(
  objects: readonly LearningObject[],
  changes: Partial<OperationHandlers> = {},
  quality: Quality = 'A00',
): ScriptedService {
  const queries: LearningObjectQuery[] = [];
  async function search(query: LearningObjectQuery) {
    queries.push(query);
    const { page, max, keywords } = query;
    const found = keywords.includes('nothing') ? [] : objects;
    return {
      requestId: KNOWN_REQUEST_ID,
      content: found.slice(page * max, (page + 1) * max),
      page,
      itemsPerPage: max,
      totalItems: found.length,
      hasMore: found.length > (page + 1) * max,
      quality: found.length === 0 ? ('C00' as const) : quality,
    };
  }
  return {
    ...createFakeLearningService(),
    listTypes: async () => ['video', 'article', 'serious game'].map((value) => ({ value, description: value })),
    listLanguages: async () => ['en', 'fr', 'de'].map((value) => ({ value, description: value })),
    listBlooms: async () => ['Understand', 'Apply'].map((value) => ({ value, description: value })),
    searchProvider: search,
    searchMany: search,
    ...changes,
    queries,
  };
}

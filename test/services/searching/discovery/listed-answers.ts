import type { Quality } from '../../../../src/domain/answer.ts';
import { AppError } from '../../../../src/errors.ts';
import type { LearningService, OperationHandlers, SearchAnswer } from '../../../../src/ports/learning-service.ts';
import { createDiscoverySearch, type SearchDeps } from '../../../../src/services/searching/discovery/search.ts';
import { createSearchSessions } from '../../../../src/services/searching/discovery/search-sessions.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { bareObject, createFakeLearningService, type HandlerService } from '../../../fakes/learning-service.ts';
import { answersOf } from './discovery-parts.ts';

export interface ProviderList {
  readonly quality?: Quality;
  /** Numbers of objects, best first; the address of an object is made of its number. */
  readonly objects: readonly number[];
}

/** A service of the specification that has these lists, and answers for a provider once `holdBack`
 *  lets it. */
export function listService(lists: Readonly<Record<string, ProviderList>>) {
  const asked: string[] = [];
  const heldBack = new Map<string, PromiseWithResolversOf>();
  async function searchProvider({ providers: [id], page, max }: Parameters<OperationHandlers['searchProvider']>[0]) {
    asked.push(`${id} ${page}`);
    await heldBack.get(id!)?.promise;
    const list = lists[id!];
    if (list === undefined) throw new AppError('PROVIDER_UNKNOWN', `Provider "${id}" is not known.`);
    const { objects, quality = 'A00' } = list;
    const content = objects.slice(page * max, (page + 1) * max).map(objectOf);
    const hasMore = (page + 1) * max < objects.length;
    const answer: SearchAnswer = {
      requestId: `search of ${id}`,
      content,
      page,
      itemsPerPage: max,
      totalItems: objects.length,
      hasMore,
      quality: objects.length > 0 ? quality : 'C00',
    };
    return answer;
  }
  const learning: HandlerService = {
    ...createFakeLearningService(),
    searchProvider,
    searchMany: async () => null,
    listProviders: async () =>
      Object.keys(lists).map((id) => ({ id, name: id, logos: [], url: 'https://example.org' })),
  };
  return {
    learning,
    asked,
    holdBack(id: string) {
      heldBack.set(id, withResolvers());
    },
    release(id: string) {
      heldBack.get(id)?.resolve();
      heldBack.delete(id);
    },
  };
}

interface PromiseWithResolversOf {
  readonly promise: Promise<void>;
  resolve(): void;
}

function withResolvers(): PromiseWithResolversOf {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

export function objectOf(number: number) {
  return { ...bareObject, title: `${number}`, url: `https://example.org/${number}` };
}

/** A search as one process has it; the same sessions stand for the same process. */
export function searchWith(learning: LearningService | HandlerService, changes: Partial<SearchDeps> = {}) {
  const clock = createStandingClock();
  return createDiscoverySearch({
    answers: answersOf(learning, 'api.example.org'),
    sessions: createSearchSessions({ clock }),
    scope: async () => 'tenant',
    clock,
    onProblem: () => {},
    ...changes,
  });
}

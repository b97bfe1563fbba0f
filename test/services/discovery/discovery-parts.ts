import type { Answered } from '../../../src/domain/answer.ts';
import type { LearningService } from '../../../src/ports/learning-service.ts';
import type { SearchDeps } from '../../../src/services/discovery/search.ts';
import { createSearchSessions } from '../../../src/services/discovery/search-sessions.ts';
import type { TenantAnswers } from '../../../src/services/tenant-answers/tenant-answers.ts';
import { createStandingClock } from '../../fakes/clock.ts';

/** A service as a tenant's people get it, without a cache. */
export function answersOf(learning: LearningService, upstream: string | null = null): TenantAnswers {
  const source = { upstream, freshness: 'fresh', answeredAt: new Date('2026-03-01T10:00:00Z') } as const;
  const from = async <T>(asked: Promise<T>): Promise<Answered<T>> => ({ value: await asked, source });
  return {
    similar: (request, options) => from(learning.similar(request, options)),
    tagger: (request, options) => from(learning.tagger(request, options)),
    suggest: (request, options) => from(learning.suggest(request, options)),
    listProviders: (options) => from(learning.listProviders(options)),
    listTypes: (options) => from(learning.listTypes(options)),
    listBlooms: (options) => from(learning.listBlooms(options)),
    listLanguages: (options) => from(learning.listLanguages(options)),
    searchProvider: (query, options) => from(learning.searchProvider(query, options)),
    searchMany: (query, options) => from(learning.searchMany(query, options)),
    browse: (request, options) => from(learning.browse(request, options)),
    findAlike: (object, options) => from(learning.findAlike(object, options)),
  };
}

/** What a discovery needs besides the operations. */
export function searchDepsOf(answers: TenantAnswers): SearchDeps {
  const clock = createStandingClock();
  const sessions = createSearchSessions({ clock });
  return { answers, sessions, clock, scope: async () => 'tenant', onProblem: () => {} };
}

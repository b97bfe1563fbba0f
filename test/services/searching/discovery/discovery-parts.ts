import type { LearningService } from '../../../../src/ports/learning-service.ts';
import type { SearchDeps } from '../../../../src/services/searching/discovery/search.ts';
import { createSearchSessions } from '../../../../src/services/searching/discovery/search-sessions.ts';
import type { TenantAnswers } from '../../../../src/services/searching/tenant-answers.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import type { HandlerService } from '../../../fakes/learning-service.ts';

/** A service as a tenant's people get it, without a cache. */
export function answersOf(learning: LearningService | HandlerService, upstream: string | null = null): TenantAnswers {
  const source = { upstream, freshness: 'fresh', answeredAt: new Date('2026-03-01T10:00:00Z') } as const;
  return {
    ask: async (operation, request, options) => ({
      value: await learning.ask(operation, request, options),
      source,
    }),
  };
}

/** What a discovery needs besides the operations. */
export function searchDepsOf(answers: TenantAnswers): SearchDeps {
  const clock = createStandingClock();
  const sessions = createSearchSessions({ clock });
  return { answers, sessions, clock, scope: async () => 'tenant', onProblem: () => {} };
}

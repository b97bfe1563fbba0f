import type { LearningService } from '../ports/learning-service.ts';
import type { TenantUpstreams } from './upstreams.ts';
import type { Usage } from './usage.ts';

export interface TenantLearningDeps {
  readonly upstreams: Pick<TenantUpstreams, 'learningOf'>;
  readonly usage: Pick<Usage, 'count'>;
}

/** The operations as this tenant's people get them, whichever service answers by then, with searches counted. It costs
 *  nothing to make. Errors: those of `TenantUpstreams.learningOf`. */
export function createTenantLearning(
  { upstreams, usage }: TenantLearningDeps,
  tenantId: string,
): LearningService {
  const learning = () => upstreams.learningOf(tenantId);
  return {
    similar: async (request) => (await learning()).similar(request),
    tagger: async (request) => (await learning()).tagger(request),
    suggest: async (request) => (await learning()).suggest(request),
    listProviders: async () => (await learning()).listProviders(),
    listTypes: async () => (await learning()).listTypes(),
    listBlooms: async () => (await learning()).listBlooms(),
    listLanguages: async () => (await learning()).listLanguages(),
    async searchProvider(query, options) {
      const answer = await (await learning()).searchProvider(query, options);
      usage.count(tenantId, 'searches');
      if (answer.totalItems === 0) usage.count(tenantId, 'zero-result-searches');
      return answer;
    },
    feedback: async (feedback) => (await learning()).feedback(feedback),
  };
}

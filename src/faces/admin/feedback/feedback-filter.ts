import type { TenantScope } from '#domain/admin';
import type { FeedbackFilter, FeedbackState } from '#ports/store/store';
import type { FeedbackService } from '#services/people/feedback/feedback';
import { readListFilter } from '../lists/lists.ts';

export const feedbackStates = ['waiting', 'parked', 'delivered', 'refused'] as const satisfies readonly FeedbackState[];
export const filterNames = ['q', 'tenant', 'provider', 'state', 'from', 'until'] as const;

/** Reads `q`, `tenant`, `provider`, `state`, `from` and `until`; ignores unusable values. */
export function readFeedbackFilter(query: URLSearchParams, scope: TenantScope) {
  const { text, tenant, tenants, period, from, until } = readListFilter(query, scope);
  const state = feedbackStates.find((name) => name === text('state')) ?? null;
  const formValues = { q: text('q'), tenant, provider: text('provider'), state: state ?? '', from, until };
  const filter = {
    scope: tenants,
    state,
    provider: formValues.provider || null,
    received: period,
    search: formValues.q,
  };
  return { filter, formValues };
}

/** Counts the feedback of a scope that matches the filter; an absent part matches all. */
export async function countFilteredFeedback(
  feedback: Pick<FeedbackService, 'listFeedback'>,
  filter: Pick<FeedbackFilter, 'scope'> & Partial<FeedbackFilter>,
): Promise<number> {
  const anyFeedback = { state: null, provider: null, received: { from: null, until: null }, search: '' };
  const list = { sort: 'receivedAt', descending: true, page: 0, pageSize: 1 } as const;
  return (await feedback.listFeedback({ ...anyFeedback, ...filter, ...list })).total;
}

import { isInScope, type TenantScope } from '#domain/admin';
import type { FeedbackFilter, FeedbackState } from '#ports/store/store';
import type { FeedbackService } from '#services/people/feedback/feedback';
import { readPeriod } from '../lists/lists.ts';

export const feedbackStates = ['waiting', 'parked', 'delivered', 'refused'] as const satisfies readonly FeedbackState[];

/** The fields of the filter. */
export const filterNames = ['q', 'tenant', 'provider', 'state', 'from', 'until'] as const;

/** What the fields of the filter show. */
type Shown = Readonly<Record<(typeof filterNames)[number], string>>;

const MAX_LENGTH = 100;

/** Read `q`, `tenant`, `provider`, `state`, and the days `from` and `until`; what cannot be used
 *  counts as not chosen. */
export function readFeedbackFilter(
  query: URLSearchParams,
  scope: TenantScope,
): { readonly filter: FeedbackFilter; readonly shown: Shown; readonly isFiltered: boolean } {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, MAX_LENGTH);
  const tenant = isInScope(scope, text('tenant')) ? text('tenant') : '';
  const state = feedbackStates.find((each) => each === text('state')) ?? null;
  const { period, from, until } = readPeriod(query);
  const shown: Shown = {
    q: text('q'),
    tenant,
    provider: text('provider'),
    state: state ?? '',
    from,
    until,
  };
  return {
    filter: {
      scope: tenant === '' ? scope : [tenant],
      state,
      provider: shown.provider === '' ? null : shown.provider,
      received: period,
      search: shown.q,
    },
    shown,
    isFiltered: Object.values(shown).some((value) => value !== ''),
  };
}

/** How much feedback a scope has; only what the filter names is asked for. */
export async function countFilteredFeedback(
  feedback: Pick<FeedbackService, 'listFeedback'>,
  filter: Pick<FeedbackFilter, 'scope'> & Partial<FeedbackFilter>,
): Promise<number> {
  const everything = { state: null, provider: null, received: { from: null, until: null }, search: '' };
  const list = { sort: 'receivedAt', descending: true, page: 0, pageSize: 1 } as const;
  return (await feedback.listFeedback({ ...everything, ...filter, ...list })).total;
}

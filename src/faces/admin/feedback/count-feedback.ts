import type { FeedbackFilter } from '../../../ports/store/store.ts';
import type { FeedbackService } from '../../../services/feedback/feedback.ts';

/** How much feedback there is of a scope; what the filter does not say is not asked for. */
export async function countFeedback(
  feedback: Pick<FeedbackService, 'listFeedback'>,
  filter: Pick<FeedbackFilter, 'scope'> & Partial<FeedbackFilter>,
): Promise<number> {
  const everything = { state: null, provider: null, received: { from: null, until: null }, search: '' };
  const list = { sort: 'receivedAt', descending: true, page: 0, pageSize: 1 } as const;
  return (await feedback.listFeedback({ ...everything, ...filter, ...list })).total;
}

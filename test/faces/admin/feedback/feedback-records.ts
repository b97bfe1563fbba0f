import { randomUUID } from 'node:crypto';
import type { FeedbackRecord } from '../../../../src/ports/store/store.ts';
import type { RunningAdmin } from '../start-admin.ts';

/** Feedback in the store, as `changes` say or delivered to our own engine. */
export async function saveFeedback(
  { store, clock }: Pick<RunningAdmin, 'store' | 'clock'>,
  changes: Partial<FeedbackRecord> = {},
): Promise<FeedbackRecord> {
  const id = `feedback-${randomUUID()}`;
  const record: FeedbackRecord = {
    id,
    tenantId: 'default',
    url: `https://example.org/${id}`,
    comment: null,
    requestId: 'request-1',
    email: 'ada@example.org',
    source: 'https://moodle.example.org/course',
    provider: 'youtube',
    receivedAt: clock.now(),
    state: 'delivered',
    attempts: 1,
    failures: 0,
    dueAt: clock.now(),
    leasedUntil: null,
    lastError: null,
    destination: null,
    giverHash: null,
    ...changes,
  };
  await store.feedback.saveFeedback(record);
  return record;
}

import { type Launch, SCORE_SCOPE } from '../../domain/lti/launch.ts';
import { toRecordKey } from '../../domain/record-key.ts';
import type { ActivityKey, ScoreRecord } from '../../ports/store/store.ts';
import type { OpenedLink } from '../placements/placements.ts';
import type { CompletionsDeps } from './completions.ts';
import { laterSecond } from './whole-seconds.ts';

export const scoreId = ({ linkId, userId }: ActivityKey): string => toRecordKey([linkId, userId]);

/** Puts the score for a completion on its way, where the link is graded and the score is not there yet. */
export type PutScore = (key: ActivityKey, launch: Launch, opened: OpenedLink) => Promise<void>;

export function createScorePutting({ scores, clock, wake }: Omit<CompletionsDeps, 'activity'>): PutScore {
  return async (key, launch, { link, placement: { points } }) => {
    const lineItem = findLineItem(launch);
    if (lineItem === null || points === null) return;
    const id = scoreId(key);
    const before = await scores.findScore(key.tenantId, id);
    if (before?.lineItem === lineItem) return;
    const now = clock.now();
    const record: ScoreRecord = {
      ...key,
      id,
      registrationId: link.registrationId,
      lineItem,
      points,
      earnedAt: laterSecond(now, before?.earnedAt),
      state: 'waiting',
      attempts: 0,
      failures: 0,
      dueAt: now,
      leasedUntil: null,
      lastError: null,
    };
    await scores.putScore(record);
    wake();
  };
}

/** Null where the platform takes no scores for this link. */
function findLineItem({ grading }: Launch): string | null {
  return grading?.scopes.includes(SCORE_SCOPE) ? grading.lineItem : null;
}

import { z } from 'zod';
import type { LineItem, Score } from './model.ts';
import { refuse } from './request.ts';

const points = z.number().min(0);

/** Source: LTI AGS 2.0, §3.4. */
const scoreOnWire = z.object({
  userId: z.string().min(1),
  scoreGiven: points.optional(),
  scoreMaximum: points.gt(0).optional(),
  activityProgress: z.enum(['Initialized', 'Started', 'InProgress', 'Submitted', 'Completed']),
  gradingProgress: z.enum(['FullyGraded', 'Pending', 'PendingManual', 'Failed', 'NotReady']),
  comment: z.string().max(2000).optional(),
  timestamp: z.iso.datetime({ offset: true }),
});

export function readScore(body: string, { id, scoreMaximum }: LineItem): Score {
  const parsed = scoreOnWire.safeParse(parseJson(body));
  if (!parsed.success)
    return refuse(
      `the score is wrong: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
    );
  const { data } = parsed;
  if (data.scoreGiven !== undefined && data.scoreMaximum === undefined)
    refuse('scoreGiven needs scoreMaximum');
  if ((data.scoreGiven ?? 0) > (data.scoreMaximum ?? scoreMaximum)) refuse('scoreGiven is over scoreMaximum');
  return {
    lineItemId: id,
    userId: data.userId,
    scoreGiven: data.scoreGiven ?? null,
    scoreMaximum: data.scoreMaximum ?? null,
    activityProgress: data.activityProgress,
    gradingProgress: data.gradingProgress,
    comment: data.comment ?? null,
    timestamp: new Date(data.timestamp),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('the body is not JSON');
  }
}

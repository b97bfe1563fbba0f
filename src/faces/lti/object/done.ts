import { takesScores } from '#domain/lti/launch';
import { isShownInPlace, type LearnerState } from '#services/courses/completions/completions';
import type { OpenedLink } from '#services/courses/placements/links';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply } from '../route.ts';
import {
  createDayFormat,
  isAboutPlacement,
  isAskedByScript,
  redirectToObject,
  replyWithPart,
} from './replies.ts';

/** Whether the learner has completed the object, and where the score is. Null for everybody but learners. */
export function toDonePart(
  { launch, token, locale }: LaunchContext,
  { placement }: OpenedLink,
  { completedAt, isOfBefore, score }: LearnerState,
) {
  if (launch.role !== 'learner') return null;
  return {
    completedAt,
    isOfBefore,
    day: createDayFormat(locale),
    score,
    rule: placement.completion,
    isShownInPlace: isShownInPlace(placement),
    points: takesScores(launch) ? placement.points : null,
    placementId: placement.id,
    token,
  };
}

/** For a page that waits for the score to arrive. */
export async function showDone(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const opened = await deps.placements.openLink(context.launch);
  if (opened === null) return redirectToObject(context);
  const state = await deps.completions.find(context.launch, opened);
  return replyWithDone(context, opened, state);
}

export async function markAsDone(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const opened = await deps.placements.openLink(context.launch);
  if (opened === null || !isAboutPlacement(context, opened)) return redirectToObject(context, 'changed');
  const state = await deps.completions.complete(context.launch, opened);
  if (isAskedByScript(context)) return replyWithDone(context, opened, state);
  return redirectToObject(context);
}

/** Notes that somebody opened the object on its own site, as our script reports. */
export async function noteFollowed(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const opened = await deps.placements.openLink(context.launch);
  if (opened === null || !isAboutPlacement(context, opened)) return redirectToObject(context, 'changed');
  const state = await deps.completions.noteFollowed(context.launch, opened);
  return replyWithDone(context, opened, state);
}

function replyWithDone(context: LaunchContext, opened: OpenedLink, state: LearnerState): LtiReply {
  const done = toDonePart(context, opened, state);
  if (done === null) return redirectToObject(context);
  return replyWithPart(context, { view: 'object-done', title: 'lesson.done.title', model: { done } });
}

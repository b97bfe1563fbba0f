import { createHash } from 'node:crypto';
import { AppError } from '#errors';
import type { Verdict } from '#ports/store/store';
import { makeFeedbackEmail } from '#services/people/feedback/given-feedback';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext, SlackView, ViewListener } from '../listener.ts';
import {
  drawFeedbackAnswerModal,
  FEEDBACK_CALLBACK,
  feedbackFields,
  MAX_COMMENT,
  verdicts,
} from './feedback-modal.ts';
import { readLearnItem } from './learn-state.ts';

/** What somebody thinks of an object was sent. */
export function learnFeedbackListener(deps: SlackFaceDeps): ViewListener {
  return {
    kind: 'view',
    callbackId: FEEDBACK_CALLBACK,
    async submit(context, view) {
      const words = await context.words();
      const given = readGiven(view);
      const problem = findProblem(given);
      if (problem !== null) {
        const errors = {
          [problem.field]: words.t(`slackLearn.feedback.${problem.name}`, { max: MAX_COMMENT }),
        };
        return { show: { kind: 'errors', errors } };
      }
      const outcome = await giveFeedback(deps, context, { value: view.privateMetadata, given });
      return {
        show: {
          kind: 'update',
          view: drawFeedbackAnswerModal(words.t(`slackLearn.feedback.${outcome}`), words),
        },
      };
    },
  };
}

function readGiven({ values }: SlackView): GivenFeedback {
  const { verdict, comment } = feedbackFields;
  const chosen = values[verdict]?.[verdict]?.selected_option?.value;
  return {
    verdict: verdicts.find((each) => each === chosen) ?? null,
    comment: (values[comment]?.[comment]?.value ?? '').trim(),
  };
}

function findProblem({ verdict, comment }: GivenFeedback) {
  if (comment.length > MAX_COMMENT) return { field: feedbackFields.comment, name: 'long' };
  return verdict === null && comment === '' ? { field: feedbackFields.verdict, name: 'empty' } : null;
}

export interface GivenFeedback {
  readonly verdict: Verdict | null;
  /** Empty where there is none. */
  readonly comment: string;
}

/** What became of it; a name of `slackLearn.feedback`. */
export type FeedbackOutcome = 'thanks' | 'unheard' | 'enough';

/** How the service that found the object is told a verdict: it takes a comment only. */
const spoken: Readonly<Record<Verdict, string>> = {
  useful: 'Useful',
  'not-useful': 'Not useful',
  broken: 'Broken link',
};

type Deps = Pick<SlackFaceDeps, 'keptStates' | 'feedback' | 'feedbackLimit' | 'publicUrl'>;

/** Gives what somebody thinks of an object to the service that found it, without their name: the app cannot read addresses.
 *  The same twice is given once. @param value names the object. Errors: SLACK_STATE_OVER. */
export async function giveFeedback(
  { keptStates, feedback, feedbackLimit, publicUrl }: Deps,
  context: SlackContext,
  { value, given }: { readonly value: string; readonly given: GivenFeedback },
): Promise<FeedbackOutcome> {
  const { tenantId, person } = context.owner;
  const { object, requestId } = (await readLearnItem({ keptStates }, context, value)).item;
  const { isAllowed } = await feedbackLimit.consume(person);
  if (!isAllowed) return 'enough';
  const said = JSON.stringify([person, value, given]);
  const idempotencyKey = `slack ${createHash('sha256').update(said).digest('hex')}`;
  const sent = {
    url: object.url,
    requestId,
    comment: toComment(given),
    email: makeFeedbackEmail(publicUrl),
    source: `${publicUrl}/slack`,
  };
  try {
    await feedback.giveFeedback(tenantId, sent, { role: 'unknown', idempotencyKey });
    return 'thanks';
  } catch (error) {
    if (error instanceof AppError && error.code === 'REQUEST_ID_INVALID') return 'unheard';
    throw error;
  }
}

function toComment({ verdict, comment }: GivenFeedback): string {
  if (verdict === null) return comment;
  return comment === '' ? `${spoken[verdict]}.` : `${spoken[verdict]}: ${comment}`;
}

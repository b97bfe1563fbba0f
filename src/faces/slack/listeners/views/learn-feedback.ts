import type { SlackFaceDeps } from '../../deps.ts';
import {
  FEEDBACK_CALLBACK,
  feedbackAnswer,
  feedbackFields,
  MAX_COMMENT,
  verdicts,
} from '../../learn/feedback-modal.ts';
import { type GivenFeedback, giveFeedback } from '../../learn/give-feedback.ts';
import type { SlackView, ViewListener } from '../../listener.ts';

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
        show: { kind: 'update', view: feedbackAnswer(words.t(`slackLearn.feedback.${outcome}`), words) },
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

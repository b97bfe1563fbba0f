import type { ObjectWords } from '#faces/object-view/facts';
import type { Verdict } from '#ports/store/store';
import { limits, type ModalView, plainText, section, smallText } from '../blocks/block-kit.ts';
import { option } from '../blocks/menus.ts';
import { toMessageModal } from '../blocks/messages.ts';
import { cutText, escapeMrkdwn, toOneLine } from '../blocks/text.ts';

export const FEEDBACK_CALLBACK = 'learn_feedback';
/** Ids of the fields: of the block and of what is in it. */
export const feedbackFields = { verdict: 'verdict', comment: 'comment' } as const;
export const MAX_COMMENT = 1_000;

export const verdicts = ['useful', 'not-useful', 'broken'] as const satisfies readonly Verdict[];

export interface FeedbackParts {
  readonly title: string;
  /** What is chosen at first. */
  readonly verdict: Verdict | null;
  /** Names the object: `<token>:<number>`. */
  readonly value: string;
}

const MAX_TITLE = 200;

/** What somebody thinks of an object: a verdict, a comment, or both. */
export function drawFeedbackModal({ title, verdict, value }: FeedbackParts, { t }: ObjectWords): ModalView {
  const options = verdicts.map((each) => option(each, t(`lesson.feedback.verdicts.${each}`)));
  const chosen = options.find((each) => each.value === verdict);
  const parts = {
    title: t('slackLearn.feedback.title'),
    close: t('slackLearn.feedback.cancel'),
    submit: t('slackLearn.feedback.send'),
    callbackId: FEEDBACK_CALLBACK,
    privateMetadata: value,
  };
  return toMessageModal(
    {
      blocks: [
        section(cutText(escapeMrkdwn(toOneLine(title)), MAX_TITLE) || '–'),
        {
          type: 'input',
          block_id: feedbackFields.verdict,
          label: plainText(t('slackLearn.feedback.question'), limits.label),
          optional: true,
          element: {
            type: 'radio_buttons',
            action_id: feedbackFields.verdict,
            options,
            ...(chosen && { initial_option: chosen }),
          },
        },
        {
          type: 'input',
          block_id: feedbackFields.comment,
          label: plainText(t('slackLearn.feedback.comment'), limits.label),
          optional: true,
          element: {
            type: 'plain_text_input',
            action_id: feedbackFields.comment,
            multiline: true,
            max_length: MAX_COMMENT,
          },
        },
        smallText(t('slackLearn.feedback.nameless')),
      ],
    },
    parts,
  );
}

/** What became of it, in the same modal. */
export function drawFeedbackAnswerModal(text: string, { t }: ObjectWords): ModalView {
  return toMessageModal(
    { blocks: [section(text)] },
    {
      title: t('slackLearn.feedback.title'),
      close: t('slackLearn.feedback.close'),
      callbackId: 'learn_feedback_given',
    },
  );
}

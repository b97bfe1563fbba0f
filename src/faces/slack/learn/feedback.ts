import { createHash } from 'node:crypto';
import { toOneLine } from '#domain/text';
import { hasErrorCode } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import type { Verdict } from '#ports/store/store';
import { makeFeedbackEmail, writeFeedbackComment } from '#services/people/feedback/given-feedback';
import { input, type ModalView, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { option } from '../blocks/menus.ts';
import { drawModal } from '../blocks/messages.ts';
import { cutSlackText, escapeMrkdwn } from '../blocks/text.ts';
import type { SlackContext, SlackView, ViewAnswer } from '../listener.ts';
import { readField, refuseField } from '../listener.ts';
import { getLearnItem } from './learn-state.ts';

export const FEEDBACK_CALLBACK = 'learn_feedback';
const VERDICT = 'verdict';
const COMMENT = 'comment';
const MAX_COMMENT = 1_000;
const MAX_TITLE = 200;
const verdicts = ['useful', 'not-useful', 'broken'] as const satisfies readonly Verdict[];

interface FeedbackParts {
  readonly title: string;
  readonly verdict: Verdict | null;
  /** `<token>:<number>` of the object. */
  readonly value: string;
}

export function drawFeedbackModal({ title, verdict, value }: FeedbackParts, { t }: ObjectWords): ModalView {
  const options = verdicts.map((name) => option(name, t(`lesson.feedback.verdicts.${name}`)));
  const chosen = options.find(({ value: name }) => name === verdict);
  const blocks = [
    sectionBlock(cutSlackText(escapeMrkdwn(toOneLine(title)), MAX_TITLE) || '–'),
    input({
      id: VERDICT,
      label: t('slackLearn.feedback.question'),
      optional: true,
      element: { type: 'radio_buttons', options, ...(chosen && { initial_option: chosen }) },
    }),
    input({
      id: COMMENT,
      label: t('slackLearn.feedback.comment'),
      optional: true,
      element: { type: 'plain_text_input', multiline: true, max_length: MAX_COMMENT },
    }),
    smallText(t('slackLearn.feedback.nameless')),
  ];
  return drawModal({
    title: t('slackLearn.feedback.title'),
    close: t('slackLearn.feedback.cancel'),
    submit: t('slackLearn.feedback.send'),
    callbackId: FEEDBACK_CALLBACK,
    privateMetadata: value,
    blocks,
  });
}

/** Gives the submitted feedback, and reports the outcome in the same modal. */
export async function submitFeedback(context: SlackContext, view: SlackView): Promise<ViewAnswer> {
  const { t } = await context.words();
  const chosen = readField(view.values, VERDICT)?.selected_option?.value;
  const verdict = verdicts.find((name) => name === chosen) ?? null;
  const comment = (readField(view.values, COMMENT)?.value ?? '').trim();
  if (comment.length > MAX_COMMENT) return refuseField(COMMENT, t('slackLearn.feedback.long', { max: MAX_COMMENT }));
  if (verdict === null && comment === '') return refuseField(VERDICT, t('slackLearn.feedback.empty'));
  const outcome = await giveFeedbackOnce(context, view.privateMetadata, { verdict, comment });
  const outcomeView = drawModal({
    title: t('slackLearn.feedback.title'),
    close: t('slackLearn.feedback.close'),
    callbackId: 'learn_feedback_given',
    blocks: [sectionBlock(t(`slackLearn.feedback.${outcome}`))],
  });
  return { show: { kind: 'update', view: outcomeView } };
}

interface Feedback {
  readonly verdict: Verdict | null;
  readonly comment: string;
}

/** Gives feedback to the object's service, once however often it is sent. The name of the person
 *  is not given, as the app cannot read email addresses.
 *  @param value `<token>:<number>`. Errors: SLACK_STATE_OVER. @returns `slackLearn.feedback.…` */
async function giveFeedbackOnce(
  context: SlackContext,
  value: string,
  given: Feedback,
): Promise<'thanks' | 'unheard' | 'enough'> {
  const { feedback, slackFeedbackLimit, publicUrl } = context;
  const { tenantId, person } = context.owner;
  const { object, requestId } = (await getLearnItem(context, value)).item;
  const { isAllowed } = await slackFeedbackLimit.consume(person);
  if (!isAllowed) return 'enough';
  const key = JSON.stringify([person, value, given]);
  const idempotencyKey = `slack ${createHash('sha256').update(key).digest('hex')}`;
  const sent = {
    url: object.url,
    requestId,
    comment: writeFeedbackComment(given.verdict, given.comment),
    email: makeFeedbackEmail(publicUrl),
    source: `${publicUrl}/slack`,
  };
  try {
    await feedback.giveFeedback(tenantId, sent, { role: 'unknown', idempotencyKey });
    return 'thanks';
  } catch (error) {
    if (hasErrorCode(error, 'REQUEST_ID_INVALID')) return 'unheard';
    throw error;
  }
}

import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { toOneLine } from '#domain/text';
import type { ObjectWords } from '#faces/object-view/facts';
import { divider, input, type Message, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { drawModal, dropPictures, objectSection } from '../blocks/messages.ts';
import { cutSlackText, escapeMrkdwn } from '../blocks/text.ts';
import type { Reply, ShareTarget, SlackContext, SlackView, ViewAnswer } from '../listener.ts';
import { readField, refuseField } from '../listener.ts';
import { getSavedState } from '../saved-state.ts';
import { findShareTarget, shareOnce } from '../share.ts';
import { getLearnItem } from './learn-state.ts';

export const SHARE_CALLBACK = 'learn_share_form';
const COMMENT = 'comment';
const MAX_COMMENT = 500;

interface SharingState {
  readonly kind: 'sharing';
  readonly object: LearningObject;
  readonly shareTo: ShareTarget | null;
}

/** Opens a modal with what all would see, and a field for a comment. Errors: SLACK_STATE_OVER. */
export async function previewObjectShare(context: SlackContext, value: string): Promise<Reply> {
  const { state, item } = await getLearnItem(context, value);
  const { object } = item;
  const words = await context.words();
  const { t } = words;
  const shareTo = state.shareTo ?? findShareTarget(context);
  const sharing: SharingState = { kind: 'sharing', object, shareTo };
  const comment = input({
    id: COMMENT,
    label: t('slackLearn.share.comment'),
    hint: t('slackLearn.share.commentHint'),
    optional: true,
    element: { type: 'plain_text_input', multiline: true, max_length: MAX_COMMENT, focus_on_load: true },
  });
  const { blocks } = dropPictures(drawSharedObject({ object, comment: '' }, context.userId, words));
  const view = drawModal({
    title: t('slackLearn.share.title'),
    submit: t('slackLearn.item.share'),
    close: t('slackLearn.feedback.cancel'),
    callbackId: SHARE_CALLBACK,
    privateMetadata: await context.savedStates.keep(context.owner, sharing),
    blocks: [smallText(t('slackLearn.share.preview')), ...blocks, divider, comment],
  });
  return { kind: 'modal', view };
}

/** Posts the object, once from all lists. Errors: SLACK_STATE_OVER, those of `shareOnce`. */
export async function submitObjectShare(context: SlackContext, view: SlackView): Promise<ViewAnswer> {
  const words = await context.words();
  const { t } = words;
  const comment = (readField(view.values, COMMENT)?.value ?? '').trim();
  if (comment.length > MAX_COMMENT) return refuseField(COMMENT, t('slackLearn.feedback.long', { max: MAX_COMMENT }));
  const token = view.privateMetadata;
  const { object, shareTo } = await getSavedState<SharingState>(context, { token, kind: 'sharing' });
  const outcome = await shareOnce(context, {
    contentId: `object ${normalizeObjectAddress(object.url)}`,
    message: drawSharedObject({ object, comment }, context.userId, words),
    shareTo,
  });
  const outcomeView = drawModal({
    title: t('slackLearn.share.title'),
    close: t('slackLearn.feedback.close'),
    callbackId: 'learn_shared',
    blocks: [sectionBlock(t(`slackLearn.share.${outcome}`))],
  });
  return { show: { kind: 'update', view: outcomeView } };
}

const MAX_SHARED_TITLE = 150;
const MAX_SHARED_DESCRIPTION = 300;

/** Draws what everyone sees: who shares which object and why, but not what was searched for. */
function drawSharedObject(
  { object, comment }: { readonly object: LearningObject; readonly comment: string },
  userId: string,
  words: ObjectWords,
): Message {
  const person = `<@${escapeMrkdwn(userId)}>`;
  const title = cutSlackText(escapeMrkdwn(toOneLine(object.title)), MAX_SHARED_TITLE);
  return {
    text: words.t('slackLearn.shared.text', { person, title }),
    blocks: [
      smallText(words.t('slackLearn.shared.by', { person })),
      ...(comment === '' ? [] : [sectionBlock(escapeMrkdwn(comment))]),
      objectSection(object, { maxDescription: MAX_SHARED_DESCRIPTION }, words),
    ],
  };
}

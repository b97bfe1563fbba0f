import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import type { ObjectWords } from '#faces/object-view/facts';
import { divider, input, type Message, section, smallText } from '../blocks/block-kit.ts';
import { drawModal, dropMessagePictures } from '../blocks/messages.ts';
import { objectSection } from '../blocks/object-section.ts';
import { cutText, escapeMrkdwn, toOneLine } from '../blocks/text.ts';
import { type Reply, readField, refuseField, type SlackContext, type SlackView, type ViewAnswer } from '../listener.ts';
import { readSavedState, type SavedStateDeps } from '../saved-state.ts';
import { findShareTarget, type ShareTarget, shareOnce } from '../share.ts';
import { readLearnItem } from './learn-state.ts';

export const SHARE_CALLBACK = 'learn_share_form';

const COMMENT = 'comment';
const MAX_COMMENT = 500;

interface SharingState {
  readonly kind: 'sharing';
  readonly object: LearningObject;
  readonly shareTo: ShareTarget | null;
}

/** Shows what everyone would see, with room for a comment. Errors: SLACK_STATE_OVER. */
export async function previewShare(deps: SavedStateDeps, context: SlackContext, value: string): Promise<Reply> {
  const { state, item } = await readLearnItem(deps, context, value);
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
  const { blocks } = dropMessagePictures(sharedMessage({ object, comment: '' }, context.userId, words));
  const view = drawModal({
    title: t('slackLearn.share.title'),
    submit: t('slackLearn.item.share'),
    close: t('slackLearn.feedback.cancel'),
    callbackId: SHARE_CALLBACK,
    privateMetadata: await deps.savedStates.keep(context.owner, sharing),
    blocks: [smallText(t('slackLearn.share.preview')), ...blocks, divider, comment],
  });
  return { kind: 'modal', view };
}

/** Posts once from all lists. Errors: SLACK_STATE_OVER, and passing ones of the posting. */
export async function submitShare(deps: SavedStateDeps, context: SlackContext, view: SlackView): Promise<ViewAnswer> {
  const words = await context.words();
  const { t } = words;
  const comment = (readField(view.values, COMMENT)?.value ?? '').trim();
  if (comment.length > MAX_COMMENT) return refuseField(COMMENT, t('slackLearn.feedback.long', { max: MAX_COMMENT }));
  const token = view.privateMetadata;
  const { object, shareTo } = await readSavedState<SharingState>(deps, context, { token, kind: 'sharing' });
  const outcome = await shareOnce(deps, context, {
    what: `object ${normalizeObjectAddress(object.url)}`,
    message: sharedMessage({ object, comment }, context.userId, words),
    shareTo,
  });
  const outcomeView = drawModal({
    title: t('slackLearn.share.title'),
    close: t('slackLearn.feedback.close'),
    callbackId: 'learn_shared',
    blocks: [section(t(`slackLearn.share.${outcome}`))],
  });
  return { show: { kind: 'update', view: outcomeView } };
}

const MAX_SHARED_TITLE = 150;
const MAX_SHARED_DESCRIPTION = 300;

/** What everyone sees: who shares what and why, but not what was searched for. */
function sharedMessage(
  { object, comment }: { readonly object: LearningObject; readonly comment: string },
  userId: string,
  words: ObjectWords,
): Message {
  const person = `<@${escapeMrkdwn(userId)}>`;
  const title = cutText(escapeMrkdwn(toOneLine(object.title)), MAX_SHARED_TITLE);
  return {
    text: words.t('slackLearn.shared.text', { person, title }),
    blocks: [
      smallText(words.t('slackLearn.shared.by', { person })),
      ...(comment === '' ? [] : [section(escapeMrkdwn(comment))]),
      objectSection(object, { maxDescription: MAX_SHARED_DESCRIPTION }, words),
    ],
  };
}

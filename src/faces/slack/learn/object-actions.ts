import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { type Message, smallText } from '../blocks/block-kit.ts';
import { noticeMessage } from '../blocks/messages.ts';
import { objectSection } from '../blocks/object-section.ts';
import { cutText, escapeMrkdwn, toOneLine } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { refreshHome } from '../home/show-home.ts';
import { readKeptMenuChoice } from '../kept-state.ts';
import type { ActionListener, SlackContext, SlackReply } from '../listener.ts';
import { shareOnce } from '../share.ts';
import { drawFeedbackModal } from './feedback-modal.ts';
import { readLearnItem } from './learn-state.ts';
import { menuChoices } from './result-blocks.ts';
import { showList } from './show-list.ts';
import { showSimilar } from './similar.ts';

type SaveDeps = Pick<SlackFaceDeps, 'keptStates' | 'shelf'>;

/** Saves an object; a second click changes nothing. */
export const learnSaveListener = (deps: SlackFaceDeps): ActionListener =>
  changeListener(deps, 'learn_save', saveObject);

/** Takes a saved object away again. */
export const learnUnsaveListener = (deps: SlackFaceDeps): ActionListener =>
  changeListener(deps, 'learn_unsave', unsaveObject);

function changeListener(deps: SlackFaceDeps, actionId: string, change: typeof saveObject): ActionListener {
  return {
    kind: 'action',
    actionId,
    async handle(context, { value }) {
      const reply = await change(deps, context, value);
      refreshHome(deps, context);
      return reply;
    },
  };
}

/** Saves an object of a list, and shows the list as it is then. A full shelf is no failure but something to say.
 *  Errors: SLACK_STATE_OVER. */
export async function saveObject(deps: SaveDeps, context: SlackContext, value: string): Promise<SlackReply> {
  const { state, token, item } = await readLearnItem(deps, context, value);
  try {
    await deps.shelf.save(context.owner, { object: item.object, requestId: item.requestId });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SHELF_FULL') throw error;
    const { t } = await context.words();
    return { kind: 'message', message: noticeMessage(t('slackLearn.shelfFull')) };
  }
  return { kind: 'replace', message: await showList(deps, context, { state, token }) };
}

/** Takes it away again. Errors: SLACK_STATE_OVER. */
export async function unsaveObject(
  deps: SaveDeps,
  context: SlackContext,
  value: string,
): Promise<SlackReply> {
  const { state, token, item } = await readLearnItem(deps, context, value);
  await deps.shelf.remove(context.owner, item.object.url);
  return { kind: 'replace', message: await showList(deps, context, { state, token }) };
}

/** Posts an object for everyone in the conversation. */
export function learnShareListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_share',
    handle: (context, { value }) => shareObject(deps, context, value),
  };
}

/** Posts one object where it was asked for, for everyone there, and only once from all lists. What cannot be posted is explained.
 *  Errors: SLACK_STATE_OVER, and of the posting where trying again may help. */
export async function shareObject(
  deps: Pick<SlackFaceDeps, 'keptStates'>,
  context: SlackContext,
  value: string,
): Promise<SlackReply> {
  const { state, item } = await readLearnItem(deps, context, value);
  const words = await context.words();
  const outcome = await shareOnce(deps, context, {
    what: `object ${normalizeObjectAddress(item.object.url)}`,
    message: sharedMessage(item.object, context.userId, words),
    shareTo: state.shareTo,
  });
  // A modal hides what is posted behind it.
  if (outcome === 'done' && context.view === null) return { kind: 'done' };
  return { kind: 'message', message: noticeMessage(words.t(`slackLearn.share.${outcome}`)) };
}

const MAX_SHARED_TITLE = 150;
const MAX_SHARED_DESCRIPTION = 300;

/** What everyone in the conversation sees: who shares what, with no trace of what was searched for. */
function sharedMessage(object: LearningObject, userId: string, words: ObjectWords): Message {
  const person = `<@${escapeMrkdwn(userId)}>`;
  const title = cutText(escapeMrkdwn(toOneLine(object.title)), MAX_SHARED_TITLE);
  return {
    text: words.t('slackLearn.shared.text', { person, title }),
    blocks: [
      smallText(words.t('slackLearn.shared.by', { person })),
      objectSection(object, { maxDescription: MAX_SHARED_DESCRIPTION }, words),
    ],
  };
}

/** An object's menu: more like it, or what somebody thinks of it. Errors: PARAMETERS_INVALID. */
export function learnMenuListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_menu',
    async handle(context, { value: chosen }) {
      const read = readKeptMenuChoice(chosen, menuChoices);
      if (read === null)
        throw new AppError('PARAMETERS_INVALID', 'This menu has no such choice any more. Search again.');
      const { choice, value } = read;
      if (choice === 'similar') return showSimilar(deps, context, value);
      const { item } = await readLearnItem(deps, context, value);
      const verdict = choice === 'broken' ? choice : null;
      const { title } = item.object;
      return { kind: 'modal', view: drawFeedbackModal({ title, verdict, value }, await context.words()) };
    },
  };
}

import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { findSimilar } from '#services/searching/similar-objects';
import { type Message, smallText } from '../blocks/block-kit.ts';
import { noticeMessage } from '../blocks/messages.ts';
import { objectSection } from '../blocks/object-section.ts';
import { cutText, escapeMrkdwn, toOneLine } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { refreshHome } from '../home/show-home.ts';
import type { Reply, SlackContext } from '../listener.ts';
import { readStateMenuChoice, type SavedStateDeps } from '../saved-state.ts';
import { replyToShare, type ShareTarget } from '../share.ts';
import { drawFeedbackModal } from './feedback.ts';
import { readLearnItem, readLearnState, type SimilarObjects } from './learn-state.ts';
import { menuChoices, showList, showNewList } from './show-list.ts';

type ShelfDeps = Pick<SlackFaceDeps, 'savedStates' | 'shelf' | 'people' | 'onProblem'>;

/** Saves an object of a list, and shows the list anew; a second click changes nothing. A full shelf
 *  is explained. Errors: SLACK_STATE_OVER. */
export async function saveObject(deps: ShelfDeps, context: SlackContext, value: string): Promise<Reply> {
  const { state, token, item } = await readLearnItem(deps, context, value);
  try {
    await deps.shelf.save(context.owner, { object: item.object, requestId: item.requestId });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SHELF_FULL') throw error;
    const { t } = await context.words();
    return { kind: 'message', message: noticeMessage(t('slackLearn.shelfFull')) };
  }
  refreshHome(deps, context);
  return { kind: 'replace', message: await showList(deps, context, { state, token }) };
}

/** Removes a saved object from the shelf, and shows the list anew. Errors: SLACK_STATE_OVER. */
export async function unsaveObject(deps: ShelfDeps, context: SlackContext, value: string): Promise<Reply> {
  const { state, token, item } = await readLearnItem(deps, context, value);
  await deps.shelf.remove(context.owner, item.object.url);
  refreshHome(deps, context);
  return { kind: 'replace', message: await showList(deps, context, { state, token }) };
}

/** Posts an object for everyone where it was asked for, once from all lists. A failed posting is
 *  explained. Errors: SLACK_STATE_OVER, and of the posting where trying again may help. */
export async function shareObject(deps: SavedStateDeps, context: SlackContext, value: string): Promise<Reply> {
  const { state, item } = await readLearnItem(deps, context, value);
  const words = await context.words();
  return replyToShare(deps, context, {
    what: `object ${normalizeObjectAddress(item.object.url)}`,
    message: sharedMessage(item.object, context.userId, words),
    shareTo: state.shareTo,
    say: (t, outcome) => t(`slackLearn.share.${outcome}`),
  });
}

const MAX_SHARED_TITLE = 150;
const MAX_SHARED_DESCRIPTION = 300;

/** What everyone in the conversation sees: who shares what, but not what was searched for. */
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

/** An object's menu: similar objects, or feedback. Errors: PARAMETERS_INVALID, SLACK_STATE_OVER. */
export async function chooseObjectAction(deps: SimilarDeps, context: SlackContext, chosen: string): Promise<Reply> {
  const { choice, value } = readStateMenuChoice(chosen, menuChoices);
  const { state, token, item } = await readLearnItem(deps, context, value);
  if (choice === 'similar') {
    const like = { object: item.object, back: token, shareTo: state.shareTo };
    return { kind: 'replace', message: await showSimilar(deps, context, like) };
  }
  const verdict = choice === 'broken' ? choice : null;
  const { title } = item.object;
  return { kind: 'modal', view: drawFeedbackModal({ title, verdict, value }, await context.words()) };
}

type SimilarDeps = Pick<SlackFaceDeps, 'tenants' | 'savedStates' | 'shelf' | 'onProblem'>;

interface LikeObject extends Pick<SimilarObjects, 'back'> {
  readonly object: LearningObject;
  readonly shareTo: ShareTarget | null;
}

/** All searches for similar objects together. */
const SIMILAR_MS = 4_000;
const MAX_SKILL = 100;

/** Objects for the same skills as this one; those that are found in time. */
export async function showSimilar(
  deps: SimilarDeps,
  context: SlackContext,
  { object: like, back, shareTo }: LikeObject,
): Promise<Message> {
  const tenant = await deps.tenants.getTenant(context.owner.tenantId);
  const { discovery } = context;
  const signal = AbortSignal.timeout(SIMILAR_MS);
  const similar = await findSimilar({ discovery, tenant, signal, onProblem: deps.onProblem }, like);
  return showNewList(deps, context, {
    kind: 'learn',
    of: { kind: 'similar', title: like.title, back },
    items: similar.map(({ found: { object, requestId }, skill }) => ({
      object,
      requestId,
      skill: cutText(skill, MAX_SKILL),
    })),
    notes: [],
    shareTo,
  });
}

/** Back to the list that an object was in. Errors: SLACK_STATE_OVER. */
export async function goBackToList(
  deps: Pick<SlackFaceDeps, 'savedStates' | 'shelf'>,
  context: SlackContext,
  token: string,
): Promise<Reply> {
  const state = await readLearnState(deps, context, token);
  return { kind: 'replace', message: await showList(deps, context, { state, token }) };
}

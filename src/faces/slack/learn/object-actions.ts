import type { LearningObject } from '#domain/learning-object';
import { hasErrorCode } from '#errors';
import { findSimilar } from '#services/searching/similar-objects';
import type { Message } from '../blocks/block-kit.ts';
import { noticeMessage } from '../blocks/messages.ts';
import { cutSlackText } from '../blocks/text.ts';
import { refreshHome } from '../home/home-view.ts';
import type { Reply, ShareTarget, SlackContext } from '../listener.ts';
import { readStateMenuChoice } from '../share.ts';
import { drawFeedbackModal } from './feedback.ts';
import { readLearnItem, readLearnState, type SimilarObjects } from './learn-state.ts';
import { menuChoices, showList, showNewList } from './show-list.ts';

/** Saves an object and shows the list anew; explains a full shelf. Errors: SLACK_STATE_OVER. */
export async function saveObject(context: SlackContext, value: string): Promise<Reply> {
  const { state, token, item } = await readLearnItem(context, value);
  try {
    await context.shelf.save(context.owner, { object: item.object, requestId: item.requestId });
  } catch (error) {
    if (!hasErrorCode(error, 'SHELF_FULL')) throw error;
    const { t } = await context.words();
    return { kind: 'message', message: noticeMessage(t('slackLearn.shelfFull')) };
  }
  refreshHome(context);
  return { kind: 'replace', message: await showList(context, { state, token }) };
}

/** Removes a saved object from the shelf, and shows the list anew. Errors: SLACK_STATE_OVER. */
export async function unsaveObject(context: SlackContext, value: string): Promise<Reply> {
  const { state, token, item } = await readLearnItem(context, value);
  await context.shelf.remove(context.owner, item.object.url);
  refreshHome(context);
  return { kind: 'replace', message: await showList(context, { state, token }) };
}

/** An object's menu: similar objects, or feedback. Errors: PARAMETERS_INVALID, SLACK_STATE_OVER. */
export async function chooseObjectAction(context: SlackContext, chosen: string): Promise<Reply> {
  const { choice, value } = readStateMenuChoice(chosen, menuChoices);
  const { state, token, item } = await readLearnItem(context, value);
  if (choice === 'similar') {
    const like = { object: item.object, back: token, shareTo: state.shareTo };
    return { kind: 'replace', message: await showSimilarObjectsAction(context, like) };
  }
  const verdict = choice === 'broken' ? choice : null;
  const { title } = item.object;
  return { kind: 'modal', view: drawFeedbackModal({ title, verdict, value }, await context.words()) };
}

interface LikeObject extends Pick<SimilarObjects, 'back'> {
  readonly object: LearningObject;
  readonly shareTo: ShareTarget | null;
}

/** All searches for similar objects together. */
const SIMILAR_MS = 4_000;
const MAX_SKILL = 100;

/** Objects for the same skills as this one; those that are found in time. */
export async function showSimilarObjectsAction(context: SlackContext, request: LikeObject): Promise<Message> {
  const { object: like, back, shareTo } = request;
  const tenant = await context.tenants.getTenant(context.owner.tenantId);
  const { discovery } = context;
  const signal = AbortSignal.timeout(SIMILAR_MS);
  const similar = await findSimilar({ discovery, tenant, signal, onProblem: context.onProblem }, like);
  return showNewList(context, {
    kind: 'learn',
    of: { kind: 'similar', title: like.title, back },
    items: similar.map(({ hit: { object, requestId }, skill }) => ({
      object,
      requestId,
      skill: cutSlackText(skill, MAX_SKILL),
    })),
    notes: [],
    shareTo,
  });
}

/** Shows the list that the object was in again. Errors: SLACK_STATE_OVER. */
export async function leaveObjectActions(context: SlackContext, token: string): Promise<Reply> {
  const state = await readLearnState(context, token);
  return { kind: 'replace', message: await showList(context, { state, token }) };
}

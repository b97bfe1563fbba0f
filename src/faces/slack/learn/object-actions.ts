import type { LearningObject } from '#domain/learning-object';
import { hasErrorCode } from '#errors';
import { findSimilar } from '#services/searching/similar-objects';
import type { Message } from '../blocks/block-kit.ts';
import { noticeMessage } from '../blocks/messages.ts';
import { cutSlackText } from '../blocks/text.ts';
import { refreshHome } from '../home/home-view.ts';
import type { Reply, ShareTarget, SlackContext } from '../listener.ts';
import { parseMenuChoice } from '../saved-state.ts';
import { drawFeedbackModal } from './feedback.ts';
import { getLearnItem, getLearnState, type SimilarObjects } from './learn-state.ts';
import { menuChoices, showList, showNewList } from './show-list.ts';

/** Saves an object and shows the list anew; explains a full shelf. Errors: SLACK_STATE_OVER. */
export async function saveObject(context: SlackContext, value: string): Promise<Reply> {
  const { state, token, item } = await getLearnItem(context, value);
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
  const { state, token, item } = await getLearnItem(context, value);
  await context.shelf.remove(context.owner, item.object.url);
  refreshHome(context);
  return { kind: 'replace', message: await showList(context, { state, token }) };
}

/** Does what a menu says. Errors: PARAMETERS_INVALID, SLACK_STATE_OVER. */
export async function chooseObjectAction(context: SlackContext, chosen: string): Promise<Reply> {
  const { choice, value } = parseMenuChoice(chosen, menuChoices);
  const { state, token, item } = await getLearnItem(context, value);
  if (choice === 'similar') {
    const request = { object: item.object, back: token, shareTo: state.shareTo };
    return { kind: 'replace', message: await showSimilarObjects(context, request) };
  }
  const verdict = choice === 'broken' ? choice : null;
  const { title } = item.object;
  return { kind: 'modal', view: drawFeedbackModal({ title, verdict, value }, await context.words()) };
}

interface SimilarRequest extends Pick<SimilarObjects, 'back'> {
  readonly object: LearningObject;
  readonly shareTo: ShareTarget | null;
}

/** Limits all searches for similar objects together. */
const SIMILAR_MS = 4_000;
const MAX_SKILL = 100;

/** Shows objects for the same skills as the given one, as far as they are found in time. */
export async function showSimilarObjects(context: SlackContext, request: SimilarRequest): Promise<Message> {
  const { object: original, back, shareTo } = request;
  const tenant = await context.tenants.getTenant(context.owner.tenantId);
  const { discovery } = context;
  const signal = AbortSignal.timeout(SIMILAR_MS);
  const similar = await findSimilar({ discovery, tenant, signal, onProblem: context.onProblem }, original);
  return showNewList(context, {
    kind: 'learn',
    of: { kind: 'similar', title: original.title, back },
    items: similar.map(({ hit: { object, requestId }, skill }) => ({
      object,
      requestId,
      skill: cutSlackText(skill, MAX_SKILL),
    })),
    notes: [],
    shareTo,
  });
}

/** Shows the list again that the object was in. Errors: SLACK_STATE_OVER. */
export async function returnToList(context: SlackContext, token: string): Promise<Reply> {
  const state = await getLearnState(context, token);
  return { kind: 'replace', message: await showList(context, { state, token }) };
}

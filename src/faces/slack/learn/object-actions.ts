import type { LearningObject } from '#domain/learning-object';
import { AppError } from '#errors';
import { findSimilar } from '#services/searching/similar-objects';
import type { Message } from '../blocks/block-kit.ts';
import { noticeMessage } from '../blocks/messages.ts';
import { cutText } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { type HomeDeps, refreshHome } from '../home/show-home.ts';
import type { Reply, SlackContext } from '../listener.ts';
import { readStateMenuChoice } from '../saved-state.ts';
import type { ShareTarget } from '../share.ts';
import { drawFeedbackModal } from './feedback.ts';
import { readLearnItem, readLearnState, type SimilarObjects } from './learn-state.ts';
import { menuChoices, showList, showNewList } from './show-list.ts';

type ShelfDeps = HomeDeps & Pick<SlackFaceDeps, 'savedStates'>;

/** Saves an object and shows the list anew; explains a full shelf. Errors: SLACK_STATE_OVER. */
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

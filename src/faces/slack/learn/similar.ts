import type { LearningObject } from '#domain/learning-object';
import { findSimilar } from '#services/searching/similar-objects';
import type { Message } from '../blocks/block-kit.ts';
import { cutText } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { ActionListener, SlackContext, SlackReply } from '../listener.ts';
import type { ShareTarget } from '../share.ts';
import { readLearnItem, readLearnState, type SimilarObjects } from './learn-state.ts';
import { showList, showNewList } from './show-list.ts';

/** All that is searched for it together. */
const SEARCH_MS = 4_000;
const MAX_SKILL = 100;

type SimilarDeps = Pick<SlackFaceDeps, 'tenants' | 'keptStates' | 'shelf' | 'onProblem'>;

/** Objects for the same skills as one of a list, in place of it, with a way back. Errors: SLACK_STATE_OVER. */
export async function showSimilar(
  deps: SimilarDeps,
  context: SlackContext,
  value: string,
): Promise<SlackReply> {
  const { state, token, item } = await readLearnItem(deps, context, value);
  const like = { object: item.object, back: token, shareTo: state.shareTo };
  return { kind: 'replace', message: await drawSimilarMessage(deps, context, like) };
}

export interface LikeObject extends Pick<SimilarObjects, 'back'> {
  readonly object: LearningObject;
  readonly shareTo: ShareTarget | null;
}

/** Objects for the same skills as this one; those that are found in time. */
export async function drawSimilarMessage(
  deps: SimilarDeps,
  context: SlackContext,
  { object: like, back, shareTo }: LikeObject,
): Promise<Message> {
  const tenant = await deps.tenants.getTenant(context.owner.tenantId);
  const { discovery } = context;
  const signal = AbortSignal.timeout(SEARCH_MS);
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

/** Back to the list that an object was in. */
export function learnBackListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_back',
    async handle(context, { value: token }) {
      const state = await readLearnState(deps, context, token);
      return { kind: 'replace', message: await showList(deps, context, { state, token }) };
    },
  };
}

import type { LearningObject } from '../../../domain/learning-object.ts';
import { findSimilar } from '../../../services/similar-objects.ts';
import type { Message } from '../blocks/block-kit.ts';
import { cut } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext, SlackReply } from '../listener.ts';
import type { ShareTarget } from '../share/share-target.ts';
import { showNewList } from './show-list.ts';
import { readItem, type SimilarObjects } from './state.ts';

/** All that is searched for it together. */
const SEARCH_MS = 4_000;
const MAX_SKILL = 100;

type Deps = Pick<SlackFaceDeps, 'tenants' | 'keptStates' | 'shelf' | 'onProblem'>;

/** Objects for the same skills as one of a list, in place of it, with a way back. Errors: SLACK_STATE_OVER. */
export async function showSimilar(deps: Deps, context: SlackContext, value: string): Promise<SlackReply> {
  const { state, token, item } = await readItem(deps, context, value);
  const like = { object: item.object, back: token, shareTo: state.shareTo };
  return { kind: 'replace', message: await similarMessage(deps, context, like) };
}

export interface LikeObject extends Pick<SimilarObjects, 'back'> {
  readonly object: LearningObject;
  readonly shareTo: ShareTarget | null;
}

/** Objects for the same skills as this one; those that are found in time. */
export async function similarMessage(
  deps: Deps,
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
      skill: cut(skill, MAX_SKILL),
    })),
    notes: [],
    shareTo,
  });
}

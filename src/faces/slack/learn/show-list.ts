import type { Message } from '../blocks/block-kit.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext } from '../listener.ts';
import { LISTS_MS } from '../request-limits.ts';
import { listMessage } from './list-message.ts';
import { keepState, type LearnState } from './state.ts';

type Deps = Pick<SlackFaceDeps, 'keptStates' | 'shelf'>;

/** Keeps a list and shows it. */
export async function showNewList(deps: Deps, context: SlackContext, state: LearnState): Promise<Message> {
  return showList(deps, context, { state, token: await keepState(deps, context, state) });
}

/** A list as it is now: what of it is saved may have changed. */
export async function showList(
  { shelf }: Pick<Deps, 'shelf'>,
  context: SlackContext,
  { state, token }: { readonly state: LearnState; readonly token: string },
): Promise<Message> {
  const urls = state.items.map(({ object }) => object.url);
  const [words, lists, saved] = await Promise.all([
    context.words(),
    context.discovery.lists({ timeoutMs: LISTS_MS }),
    shelf.findSaved(context.owner, urls),
  ]);
  return listMessage({ state, token, lists, saved, canShare: canShare(context, state) }, words);
}

/** In a modal nobody can tell where it would be shared, unless it was asked for in a conversation. */
const canShare = ({ view, channelId }: SlackContext, { shareTo }: LearnState): boolean =>
  shareTo !== null || (view === null && channelId !== null);

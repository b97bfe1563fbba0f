import type { SlackFaceDeps } from '../deps.ts';
import type { Learn } from '../learn/learn.ts';
import type { SlackContext, SlackReply } from '../listener.ts';
import { LISTS_MS } from '../request-limits.ts';
import { findShareTarget, type ShareTarget } from '../share.ts';
import { searchModal } from './search-modal.ts';
import { findBeginning, type SearchState } from './search-state.ts';

export interface SearchDeps extends Pick<SlackFaceDeps, 'keptStates'> {
  readonly learn: Learn;
}

/** The search form, with what the person prefers or what a list was searched with.
 *  @param token of what it begins with; anything else begins as everything does */
export async function openSearch(
  deps: SearchDeps,
  context: SlackContext,
  token: string,
): Promise<SlackReply> {
  const [beginning, usual, lists, words] = await Promise.all([
    findBeginning(deps, context, token),
    deps.learn.begin(context),
    context.discovery.lists({ timeoutMs: LISTS_MS }),
    context.words(),
  ]);
  const metadata = await metadataOf(deps, context, beginning?.shareTo ?? findShareTarget(context));
  const choices = beginning?.choices ?? usual;
  const view = searchModal({ wordsAtFirst: beginning?.words ?? '', choices, lists, metadata }, words);
  return { kind: 'modal', view };
}

/** Where what is found can be shared to, if that is known. */
async function metadataOf(
  { keptStates }: SearchDeps,
  { owner }: SlackContext,
  shareTo: ShareTarget | null,
): Promise<string> {
  if (shareTo === null) return '';
  const state: SearchState = { kind: 'search', words: '', choices: null, shareTo };
  return keptStates.keep(owner, state);
}

import { createProviderMenuListener } from '../blocks/menus.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { findKept } from '../kept-state.ts';
import type { Learn } from '../learn/learn.ts';
import {
  type ActionListener,
  LISTS_MS,
  type Listener,
  type ShortcutListener,
  type SlackContext,
  type SlackReply,
  type ViewListener,
} from '../listener.ts';
import { findShareTarget, type ShareTarget } from '../share.ts';
import { waitingModal } from '../waiting-modal.ts';
import { makeFieldId } from './search-fields.ts';
import { drawSearchForm, SEARCH_CALLBACK, writeSearchFormLine } from './search-form.ts';
import { searchLangListener, searchSkillListener } from './search-options.ts';
import { findSearchBeginning, type SearchState } from './search-state.ts';

interface SearchDeps extends Pick<SlackFaceDeps, 'keptStates'> {
  readonly learn: Learn;
}

/** The search form, wherever it is opened. */
export function searchListeners({ keptStates }: Pick<SlackFaceDeps, 'keptStates'>, learn: Learn): Listener[] {
  const deps = { keptStates, learn };
  return [
    searchOpenListener(deps),
    searchLearningListener(deps),
    searchFormListener(deps),
    searchSkillListener(),
    createProviderMenuListener(makeFieldId('provider')),
    searchLangListener(),
  ];
}

/** A button that opens the search form. */
function searchOpenListener(deps: SearchDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'search_open',
    handle: (context, { value }) => openSearch(deps, context, value),
  };
}

/** The search form, from anywhere in Slack. */
function searchLearningListener(deps: SearchDeps): ShortcutListener {
  return {
    kind: 'shortcut',
    callbackId: 'search_learning',
    handle: (context) => openSearch(deps, context, ''),
  };
}

/** The search form, with what the person prefers or what a list was searched with.
 *  @param token of what it begins with; anything else begins as everything does */
async function openSearch(deps: SearchDeps, context: SlackContext, token: string): Promise<SlackReply> {
  const [beginning, usual, lists, words] = await Promise.all([
    findSearchBeginning(deps, context, token),
    deps.learn.begin(context),
    context.discovery.lists({ timeoutMs: LISTS_MS }),
    context.words(),
  ]);
  const metadata = await metadataOf(deps, context, beginning?.shareTo ?? findShareTarget(context));
  const choices = beginning?.choices ?? usual;
  const view = drawSearchForm({ wordsAtFirst: beginning?.words ?? '', choices, lists, metadata }, words);
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

/** What was filled in: its results take the place of the form. */
function searchFormListener(deps: SearchDeps): ViewListener {
  const { learn } = deps;
  return {
    kind: 'view',
    callbackId: SEARCH_CALLBACK,
    async submit(context, { values, privateMetadata: token }) {
      const [words, begun] = await Promise.all([context.words(), learn.begin(context)]);
      const line = writeSearchFormLine(values, begun);
      if (line === null) {
        const errors = { [makeFieldId('words')]: words.t('slackSearch.noWords') };
        return { show: { kind: 'errors', errors } };
      }
      const title = words.t('slackSearch.title');
      return {
        show: { kind: 'update', view: waitingModal({ title, callbackId: 'search_found' }, words) },
        isRepeatable: true,
        afterwards: async () => {
          const state = await findKept<SearchState>(deps, context, { token, kind: 'search' });
          return { kind: 'replace', message: await learn.search(context, line, state?.shareTo ?? undefined) };
        },
      };
    },
  };
}

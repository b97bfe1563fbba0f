import { randomUUID } from 'node:crypto';
import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { readLanguages } from '#faces/words/i18n';
import type { Message } from '../blocks/block-kit.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { ActionListener, CommandListener, Listener, SlackContext } from '../listener.ts';
import type { SearchState } from '../search-modal/search-state.ts';
import type { ShareTarget } from '../share.ts';
import { asksForHelp, normaliseTyped } from '../typed-text.ts';
import { learnFilterListener, learnFilterProvidersListener } from './change-filter.ts';
import {
  learnDropListener,
  learnMeantListener,
  learnPageListener,
  learnWordsListener,
} from './change-search.ts';
import type { LearnChoices } from './choices.ts';
import { learnFeedbackListener } from './give-feedback.ts';
import { learnHelpListener, readRecent, showHelp } from './help.ts';
import {
  learnMenuListener,
  learnSaveListener,
  learnShareListener,
  learnUnsaveListener,
} from './object-actions.ts';
import { searchPage } from './search-page.ts';
import { showNewList } from './show-list.ts';
import { learnBackListener } from './similar.ts';
import type { Understood } from './understand.ts';
import { understandTyped } from './understand-typed.ts';

/** Searching learning objects from anywhere in Slack: the command, a term's button, a shortcut, the home page. */
export interface Learn {
  /** What was typed, with filters in it: `docker type:video lang:fr`. Notes the search among the person's recent ones and gives
   *  its first page, or ways out where nothing is found; help where no words are left to search for, with a form that begins with
   *  the filters.
   *  @param shareTo where results of a modal can be shared to. Errors: those of `Discovery`. */
  search(context: SlackContext, typed: string, shareTo?: ShareTarget): Promise<Message>;
  /** What a search begins with before anything is typed: what the person prefers, and the tenant. */
  begin(context: SlackContext): Promise<LearnChoices>;
}

export function createLearn(deps: SlackFaceDeps): Learn {
  const languages = readLanguages();

  async function noteSearch({ owner }: SlackContext, text: string): Promise<void> {
    if (text.length > MAX_WORDS_LENGTH) return;
    try {
      await deps.people.noteSearch(owner, text);
    } catch (error) {
      deps.onProblem(error);
    }
  }

  /** What was understood is not to be typed again. */
  async function askForWords(
    context: SlackContext,
    { choices, notes }: Understood,
    shareTo: ShareTarget | null,
  ): Promise<Message> {
    const { t } = await context.words();
    const state: SearchState = { kind: 'search', words: '', choices, shareTo };
    const formToken = await deps.keptStates.keep(context.owner, state);
    return showHelp(deps, context, { notes: [t('slackLearn.noWords'), ...notes], formToken });
  }

  return {
    begin: async (context) => (await understandTyped({ ...deps, languages }, context, '')).choices,
    async search(context, typed, shareTo) {
      const understood = await understandTyped({ ...deps, languages }, context, typed);
      const { choices, notes } = understood;
      if (choices.words === '') return askForWords(context, understood, shareTo ?? null);
      const begun = { series: randomUUID(), version: 0 };
      const request = { choices, page: 0, ...begun, notes, shareTo: shareTo ?? null };
      const [state] = await Promise.all([
        searchPage(deps, context, request),
        noteSearch(context, normaliseTyped(typed)),
      ]);
      return showNewList(deps, context, state);
    },
  };
}

/** All that `/learn`, its results and their menus answer to. */
export function learnListeners(deps: SlackFaceDeps, learn: Learn): Listener[] {
  return [
    learnCommandListener(deps, learn),
    learnPageListener(deps),
    learnDropListener(deps),
    learnFilterListener(deps),
    learnWordsListener(deps),
    learnMeantListener(deps),
    learnHelpListener(deps),
    learnRecentListener(deps, learn),
    learnSaveListener(deps),
    learnUnsaveListener(deps),
    learnShareListener(deps),
    learnMenuListener(deps),
    learnBackListener(deps),
    learnFilterProvidersListener(),
    learnFeedbackListener(deps),
  ];
}

/** `/learn docker type:video`; `/learn` and `/learn help` say how. */
export function learnCommandListener(
  deps: Pick<SlackFaceDeps, 'people' | 'keptStates' | 'onProblem'>,
  learn: Learn,
): CommandListener {
  return {
    kind: 'command',
    name: '/learn',
    async handle(context, text) {
      const isHelp = text.trim() === '' || asksForHelp(text);
      const message = isHelp ? await showHelp(deps, context) : await learn.search(context, text);
      return { kind: 'message', message };
    },
  };
}

/** What was searched before, again, in place of the help. */
export function learnRecentListener(deps: SlackFaceDeps, learn: Learn): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_recent_*',
    async handle(context, { value }) {
      const message = await learn.search(context, await readRecent(deps, context, value));
      return { kind: 'replace', message };
    },
  };
}

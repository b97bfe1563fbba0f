import { randomUUID } from 'node:crypto';
import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { actions, button, header, type Message, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { asksForHelp, escapeMrkdwn, normaliseTyped } from '../blocks/text.ts';
import { type Learn, type Listener, on, type Reply, type ShareTarget, type SlackContext } from '../listener.ts';
import { getSavedState, parseButtonValue } from '../saved-state.ts';
import {
  applySearchProposal,
  chooseFilter,
  dropSearchFilter,
  searchSuggestedWords,
  turnSearchPage,
} from './change-search.ts';
import { FEEDBACK_CALLBACK, submitFeedback } from './feedback.ts';
import { listProviderFilterOptions } from './filter-blocks.ts';
import type { SearchState } from './learn-state.ts';
import { chooseObjectAction, returnToList, saveObject, unsaveObject } from './object-actions.ts';
import { readSearchPage } from './search-page.ts';
import { previewObjectShare, SHARE_CALLBACK, submitObjectShare } from './share-object.ts';
import { showNewList } from './show-list.ts';
import { type UnderstoodSearch, understandTyped } from './understand.ts';

export const learnListeners: readonly Listener[] = [
  on('command', '/learn', answerLearn),
  on('action', 'learn_page_*', (context, { value }) => turnSearchPage(context, value)),
  on('action', 'learn_drop_*', dropSearchFilter),
  on('action', 'learn_filter_*', chooseFilter),
  on('action', 'learn_words_*', (context, { value }) => searchSuggestedWords(context, value)),
  on('action', 'learn_meant_*', (context, { value }) => applySearchProposal(context, value)),
  on('action', 'learn_help', answerHelp),
  on('action', 'learn_recent_*', (context, { value }) => repeatLearnSearch(context, value)),
  on('action', 'learn_save', (context, { value }) => saveObject(context, value)),
  on('action', 'learn_unsave', (context, { value }) => unsaveObject(context, value)),
  on('action', 'learn_share', (context, { value }) => previewObjectShare(context, value)),
  on('action', 'learn_menu', (context, { value }) => chooseObjectAction(context, value)),
  on('action', 'learn_back', (context, { value }) => returnToList(context, value)),
  on('options', 'learn_filter_provider', listProviderFilterOptions),
  on('view', SHARE_CALLBACK, submitObjectShare),
  on('view', FEEDBACK_CALLBACK, submitFeedback),
];

export const learn: Learn = {
  search: searchTyped,
  begin: async (context) => (await understandTyped(context, '')).choices,
};

async function answerLearn(context: SlackContext, text: string): Promise<Reply> {
  if (text.trim() === '' || asksForHelp(text)) return answerHelp(context);
  return { kind: 'message', message: await searchTyped(context, text) };
}

async function answerHelp(context: SlackContext): Promise<Reply> {
  return { kind: 'message', message: await showLearnHelp(context) };
}

async function searchTyped(context: SlackContext, typed: string, shareTo: ShareTarget | null = null): Promise<Message> {
  const understood = await understandTyped(context, typed);
  const { choices, notes } = understood;
  if (choices.words === '') return askForWords(context, understood, shareTo);
  const request = { choices, page: 0, series: randomUUID(), version: 0, notes, shareTo };
  const [state] = await Promise.all([
    readSearchPage(context, request),
    noteLearnSearch(context, normaliseTyped(typed)),
  ]);
  return showNewList(context, state);
}

async function askForWords(
  context: SlackContext,
  { choices, notes }: UnderstoodSearch,
  shareTo: ShareTarget | null,
): Promise<Message> {
  const { t } = await context.words();
  const state: SearchState = { kind: 'search', words: '', choices, shareTo };
  const formToken = await context.savedStates.keep(context.owner, state);
  return showLearnHelp(context, { notes: [t('slackLearn.noWords'), ...notes], formToken });
}

async function noteLearnSearch({ people, owner, onProblem }: SlackContext, text: string): Promise<void> {
  if (text.length <= MAX_WORDS_LENGTH) await people.noteSearch(owner, text).catch(onProblem);
}

type RecentState = { readonly kind: 'recent'; readonly searches: readonly string[] };
const MAX_RECENT = 5;

interface HelpBeginning {
  /** Plain text, not escaped. */
  readonly notes: readonly string[];
  /** Token of the `SearchState` for the search form; null if it begins as usual. */
  readonly formToken: string | null;
}

/** Shows the help. @param beginning what is already understood of a search */
async function showLearnHelp(
  context: SlackContext,
  beginning: HelpBeginning = { notes: [], formToken: null },
): Promise<Message> {
  const [recent, words] = await Promise.all([listRecentSearches(context), context.words()]);
  const state: RecentState = { kind: 'recent', searches: recent };
  const token = recent.length === 0 ? '' : await context.savedStates.keep(context.owner, state);
  return drawLearnHelp({ ...beginning, recent, token }, words);
}

async function listRecentSearches({ people, owner, onProblem }: SlackContext): Promise<readonly string[]> {
  try {
    return (await people.listSearches(owner)).slice(0, MAX_RECENT).map(({ text }) => text);
  } catch (error) {
    onProblem(error);
    return [];
  }
}

/** Repeats a recent search, in place of the help. Errors: SLACK_STATE_OVER, PARAMETERS_INVALID. */
async function repeatLearnSearch(context: SlackContext, value: string): Promise<Reply> {
  const { token, number } = parseButtonValue(value);
  const { searches } = await getSavedState<RecentState>(context, { token, kind: 'recent' });
  const text = searches[number];
  if (text !== undefined) return { kind: 'replace', message: await searchTyped(context, text) };
  throw new AppError('PARAMETERS_INVALID', 'This button names no search of its list. Search again.');
}

/** @param parts with the recent searches, newest first, and the token of their buttons */
function drawLearnHelp(
  { recent, token, formToken, notes }: HelpBeginning & { readonly recent: readonly string[]; readonly token: string },
  { t }: ObjectWords,
): Message {
  const title = t('slackLearn.help.title');
  const recentButtons = recent.map((text, number) =>
    button({
      actionId: `learn_recent_${number}`,
      text,
      value: `${token}:${number}`,
      label: t('slackLearn.help.again', { words: text }),
    }),
  );
  const examples = ['words', 'filters', 'length', 'phrase'].map((name) => `• ${t(`slackLearn.help.${name}`)}`);
  const searchButton = { actionId: 'search_open', text: t('slackLearn.help.search'), style: 'primary' } as const;
  return {
    text: escapeMrkdwn(notes[0] ?? title),
    blocks: [
      header(title),
      ...(notes.length > 0 ? [smallText(...notes.map(escapeMrkdwn))] : []),
      sectionBlock([t('slackLearn.help.examples'), ...examples].join('\n')),
      sectionBlock(`${t('search.typed')} ${t('slackLearn.help.keys')}`),
      ...(recent.length > 0 ? [sectionBlock(t('slackLearn.help.recent')), actions(recentButtons)] : []),
      actions([button({ ...searchButton, ...(formToken !== null && { value: formToken }) })]),
      smallText(t('slackLearn.help.private')),
    ],
  };
}

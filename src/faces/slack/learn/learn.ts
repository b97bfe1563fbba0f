import { randomUUID } from 'node:crypto';
import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { type Languages, readLanguages } from '#faces/words/i18n';
import { actions, button, header, type Message, section, smallText } from '../blocks/block-kit.ts';
import { asksForHelp, escapeMrkdwn, normaliseTyped } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { type Listener, onAction, onSubmit, onTyping, type SlackContext } from '../listener.ts';
import { readSavedState, readStateButton } from '../saved-state.ts';
import type { ShareTarget } from '../share.ts';
import { applyProposal, chooseFilter, dropFilter, searchOtherWords, turnPage } from './change-search.ts';
import type { LearnChoices } from './choices.ts';
import { FEEDBACK_CALLBACK, submitFeedback } from './feedback.ts';
import { listProviderMenuOptions } from './filter-blocks.ts';
import type { SearchState } from './learn-state.ts';
import { chooseObjectAction, goBackToList, saveObject, unsaveObject } from './object-actions.ts';
import { searchPage } from './search-page.ts';
import { previewShare, SHARE_CALLBACK, submitShare } from './share-object.ts';
import { showNewList } from './show-list.ts';
import { type Understood, understandTyped } from './understand.ts';

export function learnListeners(deps: SlackFaceDeps, learn: Learn): Listener[] {
  return [
    { kind: 'command', name: '/learn', handle: (context, text) => answerLearn(deps, learn, context, text) },
    onAction('learn_page_*', (context, { value }) => turnPage(deps, context, value)),
    onAction('learn_drop_*', (context, action) => dropFilter(deps, context, action)),
    onAction('learn_filter_*', (context, action) => chooseFilter(deps, context, action)),
    onAction('learn_words_*', (context, { value }) => searchOtherWords(deps, context, value)),
    onAction('learn_meant_*', (context, { value }) => applyProposal(deps, context, value)),
    onAction('learn_help', (context) => answerHelp(deps, context)),
    onAction('learn_recent_*', (context, { value }) => repeatSearch(deps, learn, context, value)),
    onAction('learn_save', (context, { value }) => saveObject(deps, context, value)),
    onAction('learn_unsave', (context, { value }) => unsaveObject(deps, context, value)),
    onAction('learn_share', (context, { value }) => previewShare(deps, context, value)),
    onAction('learn_menu', (context, { value }) => chooseObjectAction(deps, context, value)),
    onAction('learn_back', (context, { value }) => goBackToList(deps, context, value)),
    onTyping('learn_filter_provider', listProviderMenuOptions),
    onSubmit(SHARE_CALLBACK, (context, view) => submitShare(deps, context, view)),
    onSubmit(FEEDBACK_CALLBACK, (context, view) => submitFeedback(deps, context, view)),
  ];
}

async function answerLearn(deps: SlackFaceDeps, learn: Learn, context: SlackContext, text: string) {
  if (text.trim() === '' || asksForHelp(text)) return answerHelp(deps, context);
  return { kind: 'message', message: await learn.search(context, text) } as const;
}

const answerHelp = async (deps: SlackFaceDeps, context: SlackContext) =>
  ({ kind: 'message', message: await showHelp(deps, context) }) as const;

/** A recent search again, in place of the help. */
async function repeatSearch(deps: SlackFaceDeps, learn: Learn, context: SlackContext, value: string) {
  const typed = await readRecent(deps, context, value);
  return { kind: 'replace', message: await learn.search(context, typed) } as const;
}

/** Searches learning objects from anywhere in Slack. */
export interface Learn {
  /** Searches for typed words and filters: `docker type:video lang:fr`. Adds the search to the
   *  recent ones and gives its first page, ways out where nothing is found, or help without words.
   *  @param shareTo where results of a modal can be shared to. Errors: those of `Discovery`. */
  search(context: SlackContext, typed: string, shareTo?: ShareTarget): Promise<Message>;
  /** What a search begins with: preferences, and defaults of the tenant. */
  begin(context: SlackContext): Promise<LearnChoices>;
}

export function createLearn(deps: SlackFaceDeps): Learn {
  const learnDeps = { ...deps, languages: readLanguages() };
  return {
    search: (context, typed, shareTo) => searchTyped(learnDeps, context, typed, shareTo ?? null),
    begin: async (context) => (await understandTyped(learnDeps, context, '')).choices,
  };
}

async function searchTyped(
  deps: SlackFaceDeps & { readonly languages: Languages },
  context: SlackContext,
  typed: string,
  shareTo: ShareTarget | null,
): Promise<Message> {
  const understood = await understandTyped(deps, context, typed);
  const { choices, notes } = understood;
  if (choices.words === '') return askForWords(deps, context, understood, shareTo);
  const request = { choices, page: 0, series: randomUUID(), version: 0, notes, shareTo };
  const [state] = await Promise.all([
    searchPage(deps, context, request),
    noteSearch(deps, context, normaliseTyped(typed)),
  ]);
  return showNewList(deps, context, state);
}

async function askForWords(
  deps: SlackFaceDeps,
  context: SlackContext,
  { choices, notes }: Understood,
  shareTo: ShareTarget | null,
): Promise<Message> {
  const { t } = await context.words();
  const state: SearchState = { kind: 'search', words: '', choices, shareTo };
  const formToken = await deps.savedStates.keep(context.owner, state);
  return showHelp(deps, context, { notes: [t('slackLearn.noWords'), ...notes], formToken });
}

async function noteSearch({ people, onProblem }: SlackFaceDeps, { owner }: SlackContext, text: string): Promise<void> {
  if (text.length <= MAX_WORDS_LENGTH) await people.noteSearch(owner, text).catch(onProblem);
}

interface RecentState {
  readonly kind: 'recent';
  readonly searches: readonly string[];
}

type HelpDeps = Pick<SlackFaceDeps, 'people' | 'savedStates' | 'onProblem'>;

const MAX_RECENT = 5;

interface HelpBeginning {
  /** Plain text, not escaped. */
  readonly notes: readonly string[];
  /** Token of what the search form begins with; null if it begins as usual. */
  readonly formToken: string | null;
}

/** With recent searches if readable. @param beginning what of a search was understood already */
async function showHelp(
  deps: HelpDeps,
  context: SlackContext,
  beginning: HelpBeginning = { notes: [], formToken: null },
): Promise<Message> {
  const [recent, words] = await Promise.all([listRecent(deps, context), context.words()]);
  const state: RecentState = { kind: 'recent', searches: recent };
  const token = recent.length === 0 ? '' : await deps.savedStates.keep(context.owner, state);
  return drawHelp({ ...beginning, recent, token }, words);
}

async function listRecent({ people, onProblem }: HelpDeps, { owner }: SlackContext): Promise<readonly string[]> {
  try {
    return (await people.listSearches(owner)).slice(0, MAX_RECENT).map(({ text }) => text);
  } catch (error) {
    onProblem(error);
    return [];
  }
}

async function readRecent(deps: HelpDeps, context: SlackContext, value: string): Promise<string> {
  const { token, number } = readStateButton(value);
  const { searches } = await readSavedState<RecentState>(deps, context, { token, kind: 'recent' });
  const text = searches[number];
  if (text !== undefined) return text;
  throw new AppError('PARAMETERS_INVALID', 'This button names no search of its list. Search again.');
}

interface HelpParts extends HelpBeginning {
  /** Newest first. */
  readonly recent: readonly string[];
  readonly token: string;
}

function drawHelp({ recent, token, formToken, notes }: HelpParts, { t }: ObjectWords): Message {
  const title = t('slackLearn.help.title');
  const searches = recent.map((text, number) =>
    button({
      actionId: `learn_recent_${number}`,
      text,
      value: `${token}:${number}`,
      label: t('slackLearn.help.again', { words: text }),
    }),
  );
  const examples = ['words', 'filters', 'length', 'phrase'].map((name) => `• ${t(`slackLearn.help.${name}`)}`);
  const form = { actionId: 'search_open', text: t('slackLearn.help.search'), style: 'primary' } as const;
  return {
    text: escapeMrkdwn(notes[0] ?? title),
    blocks: [
      header(title),
      ...(notes.length > 0 ? [smallText(...notes.map(escapeMrkdwn))] : []),
      section([t('slackLearn.help.examples'), ...examples].join('\n')),
      section(t('slackLearn.help.keys')),
      ...(searches.length > 0 ? [section(t('slackLearn.help.recent')), actions(searches)] : []),
      actions([button({ ...form, ...(formToken !== null && { value: formToken }) })]),
      smallText(t('slackLearn.help.private')),
    ],
  };
}

import { randomUUID } from 'node:crypto';
import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { type Languages, readLanguages } from '#faces/words/i18n';
import { actions, button, divider, header, input, type Message, section, smallText } from '../blocks/block-kit.ts';
import { drawModal, dropMessagePictures } from '../blocks/messages.ts';
import { objectSection } from '../blocks/object-section.ts';
import { asksForHelp, cutText, escapeMrkdwn, normaliseTyped, toOneLine } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import {
  type Listener,
  onAction,
  onSubmit,
  onTyping,
  type Reply,
  readField,
  refuseField,
  type SlackContext,
  type SlackView,
  type ViewAnswer,
} from '../listener.ts';
import { readSavedState, readStateButton, type SavedStateDeps } from '../saved-state.ts';
import { findShareTarget, type ShareTarget, shareOnce } from '../share.ts';
import { applyProposal, chooseFilter, dropFilter, searchOtherWords, turnPage } from './change-search.ts';
import type { LearnChoices } from './choices.ts';
import { FEEDBACK_CALLBACK, submitFeedback } from './feedback.ts';
import { listProviderMenuOptions } from './filter-blocks.ts';
import { readLearnItem, type SearchState } from './learn-state.ts';
import { chooseObjectAction, goBackToList, saveObject, unsaveObject } from './object-actions.ts';
import { searchPage } from './search-page.ts';
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

const SHARE_CALLBACK = 'learn_share_form';

const COMMENT = 'comment';
const MAX_COMMENT = 500;

interface SharingState {
  readonly kind: 'sharing';
  readonly object: LearningObject;
  readonly shareTo: ShareTarget | null;
}

/** Shows what everyone would see, with room for a comment. Errors: SLACK_STATE_OVER. */
async function previewShare(deps: SavedStateDeps, context: SlackContext, value: string): Promise<Reply> {
  const { state, item } = await readLearnItem(deps, context, value);
  const { object } = item;
  const words = await context.words();
  const { t } = words;
  const shareTo = state.shareTo ?? findShareTarget(context);
  const sharing: SharingState = { kind: 'sharing', object, shareTo };
  const comment = input({
    id: COMMENT,
    label: t('slackLearn.share.comment'),
    hint: t('slackLearn.share.commentHint'),
    optional: true,
    element: { type: 'plain_text_input', multiline: true, max_length: MAX_COMMENT, focus_on_load: true },
  });
  const { blocks } = dropMessagePictures(sharedMessage({ object, comment: '' }, context.userId, words));
  const view = drawModal({
    title: t('slackLearn.share.title'),
    submit: t('slackLearn.item.share'),
    close: t('slackLearn.feedback.cancel'),
    callbackId: SHARE_CALLBACK,
    privateMetadata: await deps.savedStates.keep(context.owner, sharing),
    blocks: [smallText(t('slackLearn.share.preview')), ...blocks, divider, comment],
  });
  return { kind: 'modal', view };
}

/** Posts once from all lists. Errors: SLACK_STATE_OVER, and passing ones of the posting. */
async function submitShare(deps: SavedStateDeps, context: SlackContext, view: SlackView): Promise<ViewAnswer> {
  const words = await context.words();
  const { t } = words;
  const comment = (readField(view.values, COMMENT)?.value ?? '').trim();
  if (comment.length > MAX_COMMENT) return refuseField(COMMENT, t('slackLearn.feedback.long', { max: MAX_COMMENT }));
  const token = view.privateMetadata;
  const { object, shareTo } = await readSavedState<SharingState>(deps, context, { token, kind: 'sharing' });
  const outcome = await shareOnce(deps, context, {
    what: `object ${normalizeObjectAddress(object.url)}`,
    message: sharedMessage({ object, comment }, context.userId, words),
    shareTo,
  });
  const outcomeView = drawModal({
    title: t('slackLearn.share.title'),
    close: t('slackLearn.feedback.close'),
    callbackId: 'learn_shared',
    blocks: [section(t(`slackLearn.share.${outcome}`))],
  });
  return { show: { kind: 'update', view: outcomeView } };
}

const MAX_SHARED_TITLE = 150;
const MAX_SHARED_DESCRIPTION = 300;

/** What everyone sees: who shares what and why, but not what was searched for. */
function sharedMessage(
  { object, comment }: { readonly object: LearningObject; readonly comment: string },
  userId: string,
  words: ObjectWords,
): Message {
  const person = `<@${escapeMrkdwn(userId)}>`;
  const title = cutText(escapeMrkdwn(toOneLine(object.title)), MAX_SHARED_TITLE);
  return {
    text: words.t('slackLearn.shared.text', { person, title }),
    blocks: [
      smallText(words.t('slackLearn.shared.by', { person })),
      ...(comment === '' ? [] : [section(escapeMrkdwn(comment))]),
      objectSection(object, { maxDescription: MAX_SHARED_DESCRIPTION }, words),
    ],
  };
}

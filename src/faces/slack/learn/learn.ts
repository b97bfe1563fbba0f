import { randomUUID } from 'node:crypto';
import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { toOneLine } from '#domain/text';
import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { actions, button, divider, header, input, type Message, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { drawModal, dropMessagePictures, objectSection } from '../blocks/messages.ts';
import { asksForHelp, cutSlackText, escapeMrkdwn, normaliseTyped } from '../blocks/text.ts';
import type { Learn, Listener, Reply, ShareTarget, SlackContext, SlackView, ViewAnswer } from '../listener.ts';
import { on, readListenerField, refuseListenerField } from '../listener.ts';
import { findShareTarget, readStateButton, readStateToShare, shareOnce } from '../share.ts';
import {
  applySearchProposal,
  chooseFilter,
  dropSearchFilter,
  searchSuggestedWords,
  turnSearchPage,
} from './change-search.ts';
import { FEEDBACK_CALLBACK, submitFeedback } from './feedback.ts';
import { listProviderFilterOptions } from './filter-blocks.ts';
import { readLearnItem, type SearchState } from './learn-state.ts';
import { chooseObjectAction, leaveObjectActions, saveObject, unsaveObject } from './object-actions.ts';
import { readSearchPage } from './search-page.ts';
import { showNewList } from './show-list.ts';
import { type UnderstoodSearch, understandTyped } from './understand.ts';

const SHARE_CALLBACK = 'learn_share_form';

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
  on('action', 'learn_share', (context, { value }) => previewLearnShare(context, value)),
  on('action', 'learn_menu', (context, { value }) => chooseObjectAction(context, value)),
  on('action', 'learn_back', (context, { value }) => leaveObjectActions(context, value)),
  on('options', 'learn_filter_provider', listProviderFilterOptions),
  on('view', SHARE_CALLBACK, submitLearnShare),
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
  /** Token of what the search form begins with; null if it begins as usual. */
  readonly formToken: string | null;
}

/** With recent searches if readable. @param beginning what of a search was understood already */
async function showLearnHelp(
  context: SlackContext,
  beginning: HelpBeginning = { notes: [], formToken: null },
): Promise<Message> {
  const [recent, words] = await Promise.all([listRecentLearnSearches(context), context.words()]);
  const state: RecentState = { kind: 'recent', searches: recent };
  const token = recent.length === 0 ? '' : await context.savedStates.keep(context.owner, state);
  return drawLearnHelp({ ...beginning, recent, token }, words);
}

async function listRecentLearnSearches({ people, owner, onProblem }: SlackContext): Promise<readonly string[]> {
  try {
    return (await people.listSearches(owner)).slice(0, MAX_RECENT).map(({ text }) => text);
  } catch (error) {
    onProblem(error);
    return [];
  }
}

/** A recent search again, in place of the help. */
async function repeatLearnSearch(context: SlackContext, value: string): Promise<Reply> {
  const { token, number } = readStateButton(value);
  const { searches } = await readStateToShare<RecentState>(context, { token, kind: 'recent' });
  const text = searches[number];
  if (text !== undefined) return { kind: 'replace', message: await searchTyped(context, text) };
  throw new AppError('PARAMETERS_INVALID', 'This button names no search of its list. Search again.');
}

interface HelpParts extends HelpBeginning {
  /** Newest first. */
  readonly recent: readonly string[];
  readonly token: string;
}

function drawLearnHelp({ recent, token, formToken, notes }: HelpParts, { t }: ObjectWords): Message {
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
      sectionBlock([t('slackLearn.help.examples'), ...examples].join('\n')),
      sectionBlock(`${t('search.typed')} ${t('slackLearn.help.keys')}`),
      ...(searches.length > 0 ? [sectionBlock(t('slackLearn.help.recent')), actions(searches)] : []),
      actions([button({ ...form, ...(formToken !== null && { value: formToken }) })]),
      smallText(t('slackLearn.help.private')),
    ],
  };
}

const COMMENT = 'comment';
const MAX_COMMENT = 500;

interface SharingState {
  readonly kind: 'sharing';
  readonly object: LearningObject;
  readonly shareTo: ShareTarget | null;
}

/** Shows what everyone would see, with room for a comment. Errors: SLACK_STATE_OVER. */
async function previewLearnShare(context: SlackContext, value: string): Promise<Reply> {
  const { state, item } = await readLearnItem(context, value);
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
  const { blocks } = dropMessagePictures(drawSharedLearnMessage({ object, comment: '' }, context.userId, words));
  const view = drawModal({
    title: t('slackLearn.share.title'),
    submit: t('slackLearn.item.share'),
    close: t('slackLearn.feedback.cancel'),
    callbackId: SHARE_CALLBACK,
    privateMetadata: await context.savedStates.keep(context.owner, sharing),
    blocks: [smallText(t('slackLearn.share.preview')), ...blocks, divider, comment],
  });
  return { kind: 'modal', view };
}

/** Posts once from all lists. Errors: SLACK_STATE_OVER, and passing ones of the posting. */
async function submitLearnShare(context: SlackContext, view: SlackView): Promise<ViewAnswer> {
  const words = await context.words();
  const { t } = words;
  const comment = (readListenerField(view.values, COMMENT)?.value ?? '').trim();
  if (comment.length > MAX_COMMENT)
    return refuseListenerField(COMMENT, t('slackLearn.feedback.long', { max: MAX_COMMENT }));
  const token = view.privateMetadata;
  const { object, shareTo } = await readStateToShare<SharingState>(context, { token, kind: 'sharing' });
  const outcome = await shareOnce(context, {
    what: `object ${normalizeObjectAddress(object.url)}`,
    message: drawSharedLearnMessage({ object, comment }, context.userId, words),
    shareTo,
  });
  const outcomeView = drawModal({
    title: t('slackLearn.share.title'),
    close: t('slackLearn.feedback.close'),
    callbackId: 'learn_shared',
    blocks: [sectionBlock(t(`slackLearn.share.${outcome}`))],
  });
  return { show: { kind: 'update', view: outcomeView } };
}

const MAX_SHARED_TITLE = 150;
const MAX_SHARED_DESCRIPTION = 300;

/** What everyone sees: who shares what and why, but not what was searched for. */
function drawSharedLearnMessage(
  { object, comment }: { readonly object: LearningObject; readonly comment: string },
  userId: string,
  words: ObjectWords,
): Message {
  const person = `<@${escapeMrkdwn(userId)}>`;
  const title = cutSlackText(escapeMrkdwn(toOneLine(object.title)), MAX_SHARED_TITLE);
  return {
    text: words.t('slackLearn.shared.text', { person, title }),
    blocks: [
      smallText(words.t('slackLearn.shared.by', { person })),
      ...(comment === '' ? [] : [sectionBlock(escapeMrkdwn(comment))]),
      objectSection(object, { maxDescription: MAX_SHARED_DESCRIPTION }, words),
    ],
  };
}

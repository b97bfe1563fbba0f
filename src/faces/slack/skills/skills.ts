import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import type { ObjectWords } from '#faces/object-view/facts';
import {
  actions,
  button,
  header,
  input,
  limits,
  type Message,
  type ModalView,
  plainText,
  section,
  smallText,
} from '../blocks/block-kit.ts';
import { drawModal, noticeMessage, showWaitingModal, waitingModal } from '../blocks/messages.ts';
import {
  asksForHelp,
  cutText,
  dropEmoji,
  escapeMrkdwn,
  normaliseTyped,
  toBold,
  unescapeSlack,
} from '../blocks/text.ts';
import type { Learn } from '../learn/learn.ts';
import type { SearchState } from '../learn/learn-state.ts';
import { quoteLearnTerm } from '../learn/parse-learn.ts';
import {
  type Listener,
  onAction,
  onShortcut,
  onSubmit,
  type Reply,
  readField,
  refuseField,
  type SlackContext,
  type SlackMessage,
  type SlackView,
  type ViewAnswer,
} from '../listener.ts';
import { readStateButton, readStateMenuChoice } from '../saved-state.ts';
import { findShareTarget, replyToShare, type ShareTarget } from '../share.ts';
import { type SkillsDeps, showSimilarSkills, showSkills, showSkillsAgain, showSkillsOfText } from './show-skills.ts';
import { termChoices } from './skills-message.ts';
import { type ChosenTerm, readChosenSkill, readSkillsState } from './skills-state.ts';

export function skillsListeners(deps: Omit<SkillsDeps, 'learn'>, learn: Pick<Learn, 'search'>): Listener[] {
  return listSkillsListeners({ ...deps, learn });
}

function listSkillsListeners(deps: SkillsDeps): Listener[] {
  return [
    { kind: 'command', name: '/skills', handle: (context, text) => answerSkills(deps, context, text) },
    onAction('skills_learn', (context, { value }) => learnTerm(deps, context, value)),
    onAction('skills_menu', (context, { value }) => chooseTermAction(deps, context, value)),
    onAction('skills_try*', (context, { value }) => tryTerm(deps, context, value)),
    onAction('skills_group*', (context, { value }) => showGroup(deps, context, value)),
    onAction('skills_back', (context, { value }) => showSkillsAgain(deps, context, value, null)),
    onAction('skills_ask', (context, { value }) => openAskForm(deps, context, value)),
    onSubmit(ASK_CALLBACK, (context, view) => submitAskForm(deps, context, view)),
    onShortcut('find_learning', (context, source) => openMessageSkills(deps, context, source)),
  ];
}

/** `/skills data analyst`, `/skills <a long text>`, `/skills`, `/skills help`. */
async function answerSkills(deps: SkillsDeps, context: SlackContext, typed: string): Promise<Reply> {
  const text = dropEmoji(unescapeSlack(typed)).trim();
  if (text === '') return { kind: 'modal', view: await drawAskForm(deps, context) };
  if (asksForHelp(text)) return { kind: 'message', message: drawHelp(await context.words()) };
  return { kind: 'message', message: await showSkills(deps, context, text) };
}

function drawHelp({ t }: ObjectWords): Message {
  const title = t('slackSkills.help.title');
  const uses = ['words', 'text', 'modal', 'shortcut', 'learn'].map((use) => `• ${t(`slackSkills.help.${use}`)}`);
  return {
    text: title,
    blocks: [header(title), section(uses.join('\n')), smallText(t('slackSkills.help.private'))],
  };
}

async function showGroup(deps: SkillsDeps, context: SlackContext, value: string): Promise<Reply> {
  const { token, number } = readStateButton(value);
  return showSkillsAgain(deps, context, token, number);
}

async function learnTerm(deps: SkillsDeps, context: SlackContext, value: string): Promise<Reply> {
  const { label, state } = await readChosenSkill(deps, context, value);
  const message = await deps.learn.search(context, quoteLearnTerm(label), state.shareTo ?? undefined);
  return { kind: 'message', message };
}

/** Skills for a related term, in place, with a way back. Errors: SLACK_STATE_OVER. */
async function tryTerm(deps: SkillsDeps, context: SlackContext, value: string): Promise<Reply> {
  const { label, token, state } = await readChosenSkill(deps, context, value);
  const options = { shareTo: state.shareTo, back: token };
  return { kind: 'replace', message: await showSimilarSkills(deps, context, label, options) };
}

/** The menu of a term. Errors: PARAMETERS_INVALID. */
async function chooseTermAction(deps: SkillsDeps, context: SlackContext, menuValue: string): Promise<Reply> {
  const { choice, value } = readStateMenuChoice(menuValue, termChoices);
  if (choice === 'learn') return learnTerm(deps, context, value);
  if (choice === 'similar') return tryTerm(deps, context, value);
  return choice === 'save' ? saveTerm(deps, context, value) : postTermToConversation(deps, context, value);
}

/** Saves a term as a search on Home. Errors: SLACK_STATE_OVER. */
async function saveTerm(deps: SkillsDeps, context: SlackContext, value: string): Promise<Reply> {
  const { label } = await readChosenSkill(deps, context, value);
  const isSaved = await deps.people.saveSearch(context.owner, quoteLearnTerm(label));
  const { t } = await context.words();
  const key = isSaved ? 'slackSkills.saved' : 'slackSkills.savedEnough';
  return { kind: 'message', message: noticeMessage(t(key, { term: toBold(escapeMrkdwn(label)) })) };
}

/** Posts a term where it was asked for, once. Errors: SLACK_STATE_OVER, and of the posting. */
async function postTermToConversation(deps: SkillsDeps, context: SlackContext, value: string): Promise<Reply> {
  const { state, label, taxonomy } = await readChosenSkill(deps, context, value);
  const words = await context.words();
  return replyToShare(deps, context, {
    what: `term ${JSON.stringify([taxonomy, label])}`,
    message: sharedTerm({ label, taxonomy }, context.userId, words),
    shareTo: state.shareTo,
    say: (t, outcome) => t(`slackSkills.share.${outcome}`),
  });
}

/** What everyone sees. Other people lack the state of buttons, so the command is named instead. */
function sharedTerm(
  { label, taxonomy }: Pick<ChosenTerm, 'label' | 'taxonomy'>,
  userId: string,
  { t }: ObjectWords,
): Message {
  const term = escapeMrkdwn(label);
  const values = { person: `<@${userId}>`, term: toBold(term) };
  const text =
    taxonomy === null
      ? t('slackSkills.shared.term', values)
      : t('slackSkills.shared.termOf', { ...values, taxonomy: escapeMrkdwn(taxonomy) });
  const command = `\`/learn ${term.replaceAll('`', "'")}\``;
  return { text, blocks: [section(text), smallText(t('slackSkills.shared.how', { command }))] };
}

const ASK_CALLBACK = 'skills_ask_form';
const FIELD = 'skills_ask_text';

/** Slack takes no more in one field. */
const MAX_PASTED_LENGTH = 3_000;

async function openAskForm(deps: SkillsDeps, context: SlackContext, token: string): Promise<Reply> {
  const { from, asked, shareTo } = await readSkillsState(deps, context, token);
  const options = { prefilled: from === 'words' ? asked : '', shareTo: shareTo ?? findShareTarget(context) };
  return { kind: 'modal', view: await drawAskForm(deps, context, options) };
}

/** Finds skills for what was typed or pasted: they take the place of the form. */
async function submitAskForm(deps: SkillsDeps, context: SlackContext, view: SlackView): Promise<ViewAnswer> {
  const words = await context.words();
  const text = readField(view.values, FIELD)?.value?.trim() ?? '';
  if (text === '') return refuseField(FIELD, words.t('slackSkills.ask.empty'));
  const title = words.t('slackSkills.ask.title');
  return {
    show: { kind: 'update', view: waitingModal({ title, callbackId: 'skills_found' }, words) },
    isRepeatable: true,
    afterwards: async () => {
      const shareTo = await deps.savedStates.find<ShareTarget>(context.owner, view.privateMetadata);
      return { kind: 'replace', message: await showSkills(deps, context, text, shareTo) };
    },
  };
}

async function drawAskForm(
  { savedStates }: Pick<SkillsDeps, 'savedStates'>,
  context: SlackContext,
  { prefilled = '', shareTo = findShareTarget(context) }: { prefilled?: string; shareTo?: ShareTarget | null } = {},
): Promise<ModalView> {
  const privateMetadata = shareTo === null ? '' : await savedStates.keep(context.owner, shareTo);
  const { t } = await context.words();
  const initial = cutText(prefilled, MAX_PASTED_LENGTH);
  const field = input({
    id: FIELD,
    label: t('slackSkills.ask.label'),
    hint: t('slackSkills.ask.hint'),
    element: {
      type: 'plain_text_input',
      multiline: true,
      max_length: MAX_PASTED_LENGTH,
      focus_on_load: true,
      placeholder: plainText(t('slackSkills.ask.placeholder'), limits.placeholder),
      ...(initial !== '' && { initial_value: initial }),
    },
  });
  return drawModal({
    title: t('slackSkills.ask.title'),
    submit: t('slackSkills.ask.submit'),
    close: t('slackSkills.close'),
    callbackId: ASK_CALLBACK,
    privateMetadata,
    blocks: [smallText(t('slackSkills.ask.intro')), field],
  });
}

/** "Find learning for this" in the menu of a message opens a modal, also within threads. */
async function openMessageSkills(deps: SkillsDeps, context: SlackContext, source: SlackMessage | null): Promise<Reply> {
  const { t } = await context.words();
  const parts = { title: t('slackSkills.message.title'), callbackId: 'skills_message' };
  return showWaitingModal(context, parts, () => findInMessage(deps, context, source));
}

/** Skills and objects for a message, or the search form for none. Errors: those of `Discovery`. */
export async function findInMessage(
  deps: SkillsDeps,
  context: SlackContext,
  source: SlackMessage | null,
): Promise<Message> {
  const text = readMessageText(source?.text ?? '');
  const target = findShareTarget(context);
  const shareTo = target === null ? null : { ...target, threadTs: source?.threadTs ?? null };
  const result = text === '' ? null : await showSkillsOfText(deps, context, text, shareTo);
  if (result !== null) return result;
  // A button for the search form, which begins with the text of the message.
  const { t } = await context.words();
  const words = cutText(text, MAX_WORDS_LENGTH);
  const state: SearchState = { kind: 'search', words, choices: null, shareTo };
  const value = await deps.savedStates.keep(context.owner, state);
  const search = button({ actionId: 'search_open', text: t('slackSkills.message.byHand'), value });
  const problem = t(text === '' ? 'slackSkills.message.empty' : 'slackSkills.message.nothing');
  return { text: problem, blocks: [section(problem), actions([search])] };
}

const CODE = /```.*?(?:```|$)|`[^`\n]*`/gs;
const MENTION = /<[@#!][^<>]*>/g;
const LINK = /<(?:https?|mailto|tel|slack):[^<>|]*(?:\|([^<>]*))?>/gi;
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+|[^\s@]{1,64}@[^\s@]+\.[^\s@]+/gi;
/** Around words, and before quotations and points of lists. */
const MARKS = /(?<![\p{L}\p{N}*_~])[*_~]+(?=\S)|(?<=[^\s*_~])[*_~]+(?![\p{L}\p{N}])|^[^\S\n]*(?:&gt;)+/gmu;

/** The words of a message (mrkdwn), without code, mentions and addresses, but with labels. */
export function readMessageText(text: string): string {
  const words = text
    .replace(CODE, ' ')
    .replace(MENTION, ' ')
    .replace(LINK, (_, label: string | undefined) => ` ${label ?? ''} `)
    .replace(MARKS, ' ');
  return normaliseTyped(words).replace(ADDRESS, ' ').replace(/\s+/g, ' ').trim();
}

import { toOneLine } from '#domain/text';
import { findLanguageName } from '#faces/words/language-names';
import { limits, type PlainTextOption } from '../blocks/block-kit.ts';
import { findMenuOptions, listMenuOptions, listProviderOptions, option } from '../blocks/menus.ts';
import { drawWaitingModal } from '../blocks/messages.ts';
import type { LearnChoices } from '../learn/choices.ts';
import type { LearnState, SearchState } from '../learn/learn-state.ts';
import type { Listener, Reply, SlackContext, SlackView, ViewAnswer } from '../listener.ts';
import { LISTS_MS, on, refuseField } from '../listener.ts';
import { findSavedState } from '../saved-state.ts';
import { findShareTarget } from '../share.ts';
import { ANY, drawSearchForm, SEARCH_CALLBACK, toSearchFieldId, writeSearchLine } from './search-form.ts';

export const searchListeners: readonly Listener[] = [
  on('action', 'search_open', (context, { value }) => openSearchModal(context, value)),
  on('shortcut', 'search_learning', (context) => openSearchModal(context, '')),
  on('view', SEARCH_CALLBACK, submitSearchForm),
  on('options', toSearchFieldId('skill'), listSkillOptions),
  on('options', toSearchFieldId('provider'), listProviderOptions),
  on('options', toSearchFieldId('lang'), listLanguageOptions),
];

/** Opens the search form. @param token of `findSearchBeginning`; any other begins as usual */
async function openSearchModal(context: SlackContext, token: string): Promise<Reply> {
  const [beginning, usual, lists, words] = await Promise.all([
    findSearchBeginning(context, token),
    context.learn.begin(context),
    context.discovery.lists({ timeoutMs: LISTS_MS }),
    context.words(),
  ]);
  const shareTo = beginning?.shareTo ?? findShareTarget(context);
  const state: SearchState = { kind: 'search', words: '', choices: null, shareTo };
  const metadata = shareTo === null ? '' : await context.savedStates.keep(context.owner, state);
  const choices = beginning?.choices ?? usual;
  const view = drawSearchForm({ wordsAtFirst: beginning?.words ?? '', choices, lists, metadata }, words);
  return { kind: 'modal', view };
}

/** @param token of a `SearchState`, or of a list to change; null for any other */
export async function findSearchBeginning(
  context: SlackContext,
  token: string,
): Promise<Omit<SearchState, 'kind'> | null> {
  const state = await findSavedState<SearchState>(context, { token, kind: 'search' });
  if (state !== null)
    return { ...state, words: state.choices === null ? state.words : writeSearchWords(state.choices) };
  const list = await findSavedState<LearnState>(context, { token, kind: 'learn' });
  if (list?.of.kind !== 'search') return null;
  const { choices } = list.of;
  return { words: writeSearchWords(choices), choices, shareTo: list.shareTo };
}

/** Writes the words as they are typed: phrases in quotation marks, excluded words with a dash. */
function writeSearchWords({ words, phrases, excluded }: LearnChoices): string {
  let text = words;
  for (const phrase of phrases) text = text.replace(phrase, () => `"${phrase}"`);
  return [text, ...excluded.map((word) => `-"${word}"`)].join(' ').trim();
}

async function submitSearchForm(context: SlackContext, form: SlackView): Promise<ViewAnswer> {
  const { values, privateMetadata: token } = form;
  const [words, usual] = await Promise.all([context.words(), context.learn.begin(context)]);
  const line = writeSearchLine(values, usual);
  if (line === null) return refuseField(toSearchFieldId('words'), words.t('slackSearch.noWords'));
  const title = words.t('slackSearch.title');
  return {
    show: { kind: 'update', view: drawWaitingModal({ title, callbackId: 'search_found' }, words) },
    isRepeatable: true,
    afterwards: async () => {
      const state = await findSavedState<SearchState>(context, { token, kind: 'search' });
      const message = await context.learn.search(context, line, state?.shareTo);
      return { kind: 'replace', message };
    },
  };
}

const MAX_SKILLS = 20;

/** Lists skills that complete what is typed, best first. */
async function listSkillOptions({ discovery, words }: SlackContext, typed: string): Promise<PlainTextOption[]> {
  const { suggestions } = await discovery.complete(typed, (await words()).locale);
  const labels = suggestions.map(({ label }) => toOneLine(label));
  return listMenuOptions(labels, (label) => label).slice(0, MAX_SKILLS);
}

/** Lists languages of objects by name; before anything is typed, also "any". */
async function listLanguageOptions({ discovery, words }: SlackContext, typed: string): Promise<PlainTextOption[]> {
  const [{ languages }, { t, locale }] = await Promise.all([discovery.lists({ timeoutMs: LISTS_MS }), words()]);
  const named = languages.map(({ value }) => ({ value, name: findLanguageName(value, locale) }));
  const options = findMenuOptions(named, typed, locale);
  if (typed.trim() !== '') return options;
  return [option(ANY, t('slackSearch.any.lang')), ...options].slice(0, limits.options);
}

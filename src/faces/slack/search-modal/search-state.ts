import type { SlackFaceDeps } from '../deps.ts';
import { findKept } from '../kept-state.ts';
import type { LearnChoices } from '../learn/choices.ts';
import type { LearnState } from '../learn/learn-state.ts';
import type { SlackContext } from '../listener.ts';
import type { ShareTarget } from '../share.ts';

/** What the search form begins with, and where its results can be shared to. */
export interface SearchState {
  readonly kind: 'search';
  readonly words: string;
  /** Null where the person's usual ones are to be chosen. */
  readonly choices: LearnChoices | null;
  readonly shareTo: ShareTarget | null;
}

export type SearchBeginning = Omit<SearchState, 'kind'>;

/** @param token of a button: of a `SearchState`, or of a list, whose search is to be changed; one that is neither, or over,
 *  gives null */
export async function findSearchBeginning(
  deps: Pick<SlackFaceDeps, 'keptStates'>,
  context: SlackContext,
  token: string,
): Promise<SearchBeginning | null> {
  const state = await findKept<SearchState>(deps, context, { token, kind: 'search' });
  if (state !== null)
    return { ...state, words: state.choices === null ? state.words : typedWords(state.choices) };
  const list = await findKept<LearnState>(deps, context, { token, kind: 'learn' });
  if (list?.of.kind !== 'search') return null;
  const { choices } = list.of;
  return { words: typedWords(choices), choices, shareTo: list.shareTo };
}

/** With phrases in quotation marks, and what is not wanted. */
function typedWords({ words, phrases, excluded }: LearnChoices): string {
  const wanted = phrases.reduce((text, phrase) => text.replace(phrase, () => `"${phrase}"`), words);
  return [wanted, ...excluded.map((each) => `-"${each}"`)].join(' ').trim();
}

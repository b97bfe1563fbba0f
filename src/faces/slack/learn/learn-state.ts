import { AppError } from '#errors';
import type { FilterToDrop, LearningObjectHit, SearchResult } from '#services/searching/discovery/results';
import { cutSlackText } from '../blocks/text.ts';
import type { ShareTarget, SlackContext } from '../listener.ts';
import { getSavedState, parseButtonValue } from '../saved-state.ts';
import type { LearnChoices } from './choices.ts';

export interface LearnState {
  readonly kind: 'learn';
  readonly of: SearchedPage | SimilarObjects;
  readonly items: readonly ListedObject[];
  /** Remarks on the list in the reader's language: plain text, not escaped. */
  readonly notes: readonly string[];
  readonly shareTo: ShareTarget | null;
}

export interface SearchPlace {
  readonly choices: LearnChoices;
  /** Index of the page. */
  readonly page: number;
}

export interface SearchedPage
  extends SearchPlace,
    Pick<SearchResult, 'totalItems' | 'isTotalExact' | 'hasMore' | 'quality'> {
  readonly kind: 'search';
  /** Names the versions of the search: each builds on the one before, shown or not. */
  readonly series: string;
  readonly version: number;
  /** Null if something is found. */
  readonly waysOut: WaysOutShown | null;
}

export interface WaysOutShown {
  readonly otherWords: readonly { readonly words: string; readonly keepsFilters: boolean }[];
  readonly filters: readonly WayOut[];
  /** Null if dropping one of the filters is enough. */
  readonly withoutFilters: Pick<FilterToDrop, 'totalItems' | 'isTotalExact'> | null;
}

/** A filter without which there are hits. */
export interface WayOut extends Pick<FilterToDrop, 'totalItems' | 'isTotalExact'> {
  readonly filter: FilterToDrop['filter'] | 'excluded' | 'phrases';
}

export interface SimilarObjects {
  readonly kind: 'similar';
  readonly title: string;
  /** Token of the list that the object is in; null if it is in none. */
  readonly back: string | null;
}

export interface ListedObject extends Pick<LearningObjectHit, 'object' | 'requestId' | 'tier'> {
  /** The skill for which it is similar, in a list of similar objects. */
  readonly skill?: string;
}

/** The content that the search form begins with, and where its results can be shared to. */
export interface SearchState {
  readonly kind: 'search';
  readonly words: string;
  /** Null if the person's usual ones are to be chosen. */
  readonly choices: LearnChoices | null;
  readonly shareTo: ShareTarget | null;
}

/** Gets the list that a button names by its token. Errors: SLACK_STATE_OVER. */
export const getLearnState = (context: SlackContext, token: string): Promise<LearnState> =>
  getSavedState<LearnState>(context, { token, kind: 'learn' });

/** Gets the object that a button names. Errors: SLACK_STATE_OVER, PARAMETERS_INVALID. */
export async function getLearnItem(
  context: SlackContext,
  value: string,
): Promise<{ readonly state: LearnState; readonly token: string; readonly item: ListedObject }> {
  const { token, number } = parseButtonValue(value);
  const state = await getLearnState(context, token);
  const item = state.items[number];
  if (item === undefined)
    throw new AppError('PARAMETERS_INVALID', 'This button names no object of its list. Search again.');
  return { state, token, item };
}

/** Stores a list, shortened if it exceeds the 64 kB that the store takes. @returns its token */
export function keepLearnState({ savedStates, owner }: SlackContext, state: LearnState): Promise<string> {
  const isLarge = Buffer.byteLength(JSON.stringify(state)) > MAX_BYTES;
  return savedStates.keep(owner, isLarge ? { ...state, items: state.items.map(shortenListedObject) } : state);
}

const MAX_BYTES = 60_000;
const MAX_TEXT = 300;
const MAX_NAMES = 3;
const MAX_NAME = 100;
const MAX_PICTURE = 1_000;

function shortenListedObject({ object, ...item }: ListedObject): ListedObject {
  const { description, picture, embed: _, provider, address, ...facts } = object;
  const short = {
    ...facts,
    title: cutSlackText(object.title, MAX_TEXT),
    author: shortenNames(object.author),
    publisher: shortenNames(object.publisher),
    type: shortenNames(object.type),
    bloom: shortenNames(object.bloom),
    ...(provider !== undefined && { provider: cutSlackText(provider, MAX_NAME) }),
    ...(description !== undefined && { description: cutSlackText(description, MAX_TEXT) }),
    ...(address !== undefined && { address: cutSlackText(address, MAX_NAME) }),
    ...(picture !== undefined && picture.length <= MAX_PICTURE && { picture }),
  };
  return { ...item, object: short };
}

const shortenNames = (names: readonly string[]): string[] =>
  names.slice(0, MAX_NAMES).map((name) => cutSlackText(name, MAX_NAME));

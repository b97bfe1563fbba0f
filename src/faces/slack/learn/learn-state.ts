import type { Quality } from '#domain/answer';
import type { LearningObject } from '#domain/learning-object';
import { AppError } from '#errors';
import type { FilterToDrop, FoundObject } from '#services/searching/discovery/results';
import { cutText } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { readKept, readKeptButton } from '../kept-state.ts';
import type { SlackContext } from '../listener.ts';
import type { ShareTarget } from '../share.ts';
import type { LearnChoices } from './choices.ts';

/** A list of learning objects that somebody is shown. Its buttons name an object by its place. */
export interface LearnState {
  readonly kind: 'learn';
  readonly of: SearchedPage | SimilarObjects;
  readonly items: readonly ListedObject[];
  /** What to know of the list, in the reader's words: plain text, not escaped. */
  readonly notes: readonly string[];
  readonly shareTo: ShareTarget | null;
}

/** Where in which search somebody is. */
export interface SearchPlace {
  readonly choices: LearnChoices;
  /** From 0. */
  readonly page: number;
}

export interface SearchedPage extends SearchPlace {
  readonly kind: 'search';
  /** Each action builds on the one before, even where people do not see its result yet. */
  readonly series: string;
  readonly version: number;
  readonly totalItems: number;
  readonly isTotalExact: boolean;
  readonly hasMore: boolean;
  readonly quality: Quality;
  /** Where nothing is found, else null. */
  readonly waysOut: WaysOutShown | null;
}

/** What can be done where nothing is found. */
export interface WaysOutShown {
  readonly otherWords: readonly OtherWords[];
  readonly filters: readonly WayOut[];
  /** Null where dropping one of the filters is enough. */
  readonly withoutFilters: Pick<FilterToDrop, 'totalItems' | 'isTotalExact'> | null;
}

/** What finds something once it is dropped. */
export interface WayOut extends Pick<FilterToDrop, 'totalItems' | 'isTotalExact'> {
  readonly filter: FilterToDrop['filter'] | 'excluded' | 'phrases';
}

export interface OtherWords {
  readonly words: string;
  readonly keepsFilters: boolean;
}

export interface SimilarObjects {
  readonly kind: 'similar';
  readonly title: string;
  /** Token of the list that the object is in; null where it is in none. */
  readonly back: string | null;
}

export interface ListedObject {
  readonly object: LearningObject;
  readonly requestId: string;
  /** How it stands to the words; absent where it fits. */
  readonly tier?: FoundObject['tier'];
  /** The skill it is shown for, where others are shown for other ones. */
  readonly skill?: string;
}

type Deps = Pick<SlackFaceDeps, 'keptStates'>;

/** Errors: SLACK_STATE_OVER. */
export const readLearnState = (deps: Deps, context: SlackContext, token: string): Promise<LearnState> =>
  readKept<LearnState>(deps, context, { token, kind: 'learn' });

export interface NamedObject {
  readonly state: LearnState;
  readonly token: string;
  readonly number: number;
  readonly item: ListedObject;
}

/** @param value of a button: `<token>:<number>`. Errors: SLACK_STATE_OVER, PARAMETERS_INVALID. */
export async function readLearnItem(deps: Deps, context: SlackContext, value: string): Promise<NamedObject> {
  const { token, number } = readKeptButton(value);
  const state = await readLearnState(deps, context, token);
  const item = state.items[number];
  if (item === undefined)
    throw new AppError('PARAMETERS_INVALID', 'This button names no object of its list. Search again.');
  return { state, token, number, item };
}

/** What is kept takes 64 kB at most, which services can exceed. @returns the token of it */
export function keepLearnState(
  { keptStates }: Deps,
  { owner }: SlackContext,
  state: LearnState,
): Promise<string> {
  const isLarge = Buffer.byteLength(JSON.stringify(state)) > MAX_BYTES;
  return keptStates.keep(owner, isLarge ? { ...state, items: state.items.map(shorten) } : state);
}

const MAX_BYTES = 60_000;
const MAX_TEXT = 300;
const MAX_NAMES = 3;
const MAX_NAME = 100;
const MAX_PICTURE = 1_000;

function shorten({ object, ...rest }: ListedObject): ListedObject {
  const {
    title,
    description,
    picture,
    embed: _,
    provider,
    address,
    author,
    publisher,
    type,
    bloom,
    ...facts
  } = object;
  const short = {
    ...facts,
    title: cutText(title, MAX_TEXT),
    author: few(author),
    publisher: few(publisher),
    type: few(type),
    bloom: few(bloom),
    ...(provider !== undefined && { provider: cutText(provider, MAX_NAME) }),
    ...(description !== undefined && { description: cutText(description, MAX_TEXT) }),
    ...(address !== undefined && { address: cutText(address, MAX_NAME) }),
    ...(picture !== undefined && picture.length <= MAX_PICTURE && { picture }),
  };
  return { ...rest, object: short };
}

const few = (names: readonly string[]): string[] =>
  names.slice(0, MAX_NAMES).map((name) => cutText(name, MAX_NAME));

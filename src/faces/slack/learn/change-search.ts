import { lengths, levels, prices } from '#domain/learning-object-query';
import { AppError } from '#errors';
import type { Version } from '#services/people/saved-states';
import type { Reply, SlackAction, SlackContext } from '../listener.ts';
import { parseButtonValue } from '../saved-state.ts';
import type { LearnChoices, LengthName, LevelName } from './choices.ts';
import {
  applyChoice,
  correctMistypedChoice,
  dropChoice,
  dropChoiceValue,
  dropFilterChoices,
  isDroppableChoice,
  listChoiceValues,
  replaceChoiceWords,
  toChoiceMinutes,
} from './choices.ts';
import { ANY, CHOSEN, parseFilterToken } from './filter-blocks.ts';
import { getLearnState, type SearchedPage, type SearchPlace } from './learn-state.ts';
import { readSearchPage } from './search-page.ts';
import { showNewList } from './show-list.ts';

export async function turnSearchPage(context: SlackContext, value: string): Promise<Reply> {
  const { token, number: page } = parseButtonValue(value);
  return changeSearch(context, token, ({ choices: shown }) => (newest) => {
    // If the search was changed meanwhile, the page has no meaning any more.
    return isEqualSearch(newest.choices, shown) ? { ...newest, page } : newest;
  });
}

const DROP = 'learn_drop_';

export async function dropSearchFilter(context: SlackContext, { actionId, value: token }: SlackAction): Promise<Reply> {
  const [name = '', number] = actionId.slice(DROP.length).split('_');
  return changeSearch(context, token, ({ choices: shown }) => {
    if (!isDroppableChoice(name)) return changeSearchChoices(dropFilterChoices);
    const value = number === undefined ? undefined : listChoiceValues(shown, name)?.[Number(number)];
    return changeSearchChoices((choices) =>
      value === undefined ? dropChoice(choices, name) : dropChoiceValue(choices, name, value),
    );
  });
}

export async function applySearchProposal(context: SlackContext, value: string): Promise<Reply> {
  const { token, number } = parseButtonValue(value);
  return changeSearch(context, token, ({ choices: shown }) => {
    const proposal = shown.proposals[number];
    if (proposal !== undefined) return changeSearchChoices((choices) => correctMistypedChoice(choices, proposal));
    throw new AppError('PARAMETERS_INVALID', 'This button names no filter of its list. Search again.');
  });
}

export async function searchSuggestedWords(context: SlackContext, value: string): Promise<Reply> {
  const { token, number } = parseButtonValue(value);
  return changeSearch(context, token, ({ waysOut }) => {
    const suggestion = waysOut?.otherWords[number];
    if (suggestion === undefined)
      throw new AppError('PARAMETERS_INVALID', 'This button names no words of its list. Search again.');
    return changeSearchChoices((choices) =>
      replaceChoiceWords(suggestion.keepsFilters ? choices : dropFilterChoices(choices), suggestion.words),
    );
  });
}

const FILTER = 'learn_filter_';

export async function chooseFilter(context: SlackContext, { actionId, blockId, value }: SlackAction): Promise<Reply> {
  const name = actionId.slice(FILTER.length);
  return changeSearch(context, parseFilterToken(blockId), () =>
    changeSearchChoices((choices) => applyMenuChoice(choices, name, value)),
  );
}

/** Applies a choice in a menu. @returns null if nothing changes. Errors: PARAMETERS_INVALID. */
function applyMenuChoice(choices: LearnChoices, name: string, value: string): LearnChoices | null {
  if (isDroppableChoice(name)) {
    if (value === ANY) return dropChoice(choices, name);
    if (!value.startsWith(CHOSEN)) return null;
    const chosen = menuReaders[name]?.(value.slice(CHOSEN.length)) ?? null;
    if (chosen !== null) return applyChoice(choices, chosen);
  }
  throw new AppError('PARAMETERS_INVALID', 'This menu has no such choice any more. Search again.');
}

const menuReaders: Readonly<Record<string, (value: string) => Partial<LearnChoices> | null>> = {
  type: (type) => ({ types: [type] }),
  lang: (lang) => ({ lang }),
  provider: (provider) => ({ providers: [provider] }),
  level: (level) => (Object.hasOwn(levels, level) ? { levels: [level as LevelName] } : null),
  learningTime: (length) => (Object.hasOwn(lengths, length) ? toChoiceMinutes(length as LengthName) : null),
  free: (name) => {
    const price = prices.find((value) => value === name);
    return price === undefined ? null : { price };
  },
};

/** Gives the next choices and page from the newest ones; null if nothing changes. */
type Change = (newest: SearchPlace) => SearchPlace | null;

/** Makes a change of the choices, which leads to the first page. */
const changeSearchChoices =
  (change: (choices: LearnChoices) => LearnChoices | null): Change =>
  ({ choices }) => {
    const changed = change(choices);
    return changed === null ? null : { choices: changed, page: 0 };
  };

/** Searches with a change and shows the result in place, together with other changes of the list
 *  made meanwhile; only the last one is answered.
 *  @param token of the list
 *  @param plan gives the change for the search that the person saw
 *  Errors: SLACK_STATE_OVER, those of `Discovery` and of the change. */
async function changeSearch(
  context: SlackContext,
  token: string,
  plan: (shown: SearchedPage) => Change,
): Promise<Reply> {
  const { of, shareTo } = await getLearnState(context, token);
  if (of.kind !== 'search')
    throw new AppError('SLACK_STATE_OVER', 'This button is of no search any more. Search again.');
  const version = await addSearchChange(context, of, plan(of));
  if (version === null) return { kind: 'done' };
  const { series } = of;
  const place = { ...version.state, series, version: version.number };
  const next = await readSearchPage(context, { ...place, notes: [], shareTo });
  const newest = await context.savedStates.findNewest(context.owner, series, version);
  if (newest.number > version.number) return { kind: 'done' };
  return { kind: 'replace', message: await showNewList(context, next) };
}

/** Stores the change as the next version; where another one came first, it changes that one. */
async function addSearchChange(
  { savedStates, owner }: SlackContext,
  { series, version, choices, page }: SearchedPage,
  change: Change,
): Promise<Version<SearchPlace> | null> {
  let newest: Version<SearchPlace> = { number: version, state: { choices, page } };
  for (;;) {
    newest = await savedStates.findNewest(owner, series, newest);
    const state = change(newest.state);
    if (state === null) return null;
    if (isEqualSearch(state, newest.state)) return newest;
    const next = { number: newest.number + 1, state };
    if (await savedStates.addVersion(owner, series, next)) return next;
  }
}

/** Compares as text, which is enough for values of the same parts in the same order. */
const isEqualSearch = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

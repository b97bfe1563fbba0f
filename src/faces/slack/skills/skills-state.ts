import { AppError } from '#errors';
import type { SlackFaceDeps } from '../deps.ts';
import { readKept, readKeptButton } from '../kept-state.ts';
import type { SlackContext } from '../listener.ts';
import type { ShareTarget } from '../share.ts';

/** Terms found for words, or in a text. Buttons name a term by its place: that in `listPlaces`. */
export interface SkillsState {
  readonly kind: 'skills';
  readonly from: 'words' | 'text';
  /** What was asked; of a text its beginning. */
  readonly asked: string;
  readonly groups: readonly TermGroup[];
  /** What may have been meant. */
  readonly didYouMean: string | null;
  /** Related terms, of those found but not shown at first; what else may have been meant, where nothing was found. */
  readonly related: readonly string[];
  /** Of the text, where it was found out: a two-letter code. */
  readonly lang: string | null;
  /** When the service said so, where it cannot say anything now: milliseconds. */
  readonly staleSinceMs: number | null;
  readonly shareTo: ShareTarget | null;
  /** Token of what it was shown instead of. */
  readonly back: string | null;
}

export interface TermGroup {
  /** Null for tags of a text: the service does not name their taxonomy. */
  readonly taxonomy: string | null;
  /** Best first. */
  readonly labels: readonly string[];
}

/** A term that a button names. */
export interface ChosenTerm {
  readonly state: SkillsState;
  readonly token: string;
  readonly number: number;
  readonly label: string;
  readonly taxonomy: string | null;
}

/** A list as somebody is shown it. */
export interface ShownSkills {
  readonly state: SkillsState;
  readonly token: string;
  /** Index of the only group that is shown, with all of its terms; null shows the best of each. */
  readonly only: number | null;
  readonly canShare: boolean;
}

type Deps = Pick<SlackFaceDeps, 'keptStates'>;

/** Each term takes two of the fifty blocks of a message. */
export const MAX_GROUPS = 4;
export const MAX_TERMS_OF_EACH = 4;

/** The terms that are shown before somebody asks for more of a group. */
export const listFirstShownSkills = (groups: readonly TermGroup[]): readonly string[] =>
  groups.slice(0, MAX_GROUPS).flatMap(({ labels }) => labels.slice(0, MAX_TERMS_OF_EACH));

interface Place {
  readonly label: string;
  readonly taxonomy: string | null;
}

/** Everything that a button may name, in the order of its numbers. */
function listPlaces({ groups, didYouMean, related, asked }: SkillsState): readonly Place[] {
  const found = groups.flatMap(({ taxonomy, labels }) => labels.map((label) => ({ label, taxonomy })));
  const others = [...(didYouMean === null ? [] : [didYouMean]), ...related, asked];
  return [...found, ...others.map((label) => ({ label, taxonomy: null }))];
}

/** The number of the first term of a group. */
export const countSkillsBeforeGroup = ({ groups }: SkillsState, index: number): number =>
  groups.slice(0, index).reduce((sum, { labels }) => sum + labels.length, 0);

/** The number of the first related term, and of what was asked, which stands behind them. */
export const countSkillsBeforeRelated = (state: SkillsState): number =>
  countBeforeOthers(state) + (state.didYouMean === null ? 0 : 1);
export const findAskedSkillsPlace = (state: SkillsState): number =>
  countSkillsBeforeRelated(state) + state.related.length;

/** The number of the first of those that are in no group: what may have been meant, related terms, and what was asked. */
export const countBeforeOthers = (state: SkillsState): number =>
  countSkillsBeforeGroup(state, state.groups.length);

/** Errors: SLACK_STATE_OVER. */
export const readSkillsState = (deps: Deps, context: SlackContext, token: string): Promise<SkillsState> =>
  readKept<SkillsState>(deps, context, { token, kind: 'skills' });

/** @param value of a button: `<token>:<number>`. Errors: SLACK_STATE_OVER, PARAMETERS_INVALID. */
export async function readChosenSkill(deps: Deps, context: SlackContext, value: string): Promise<ChosenTerm> {
  const { token, number } = readKeptButton(value);
  const state = await readSkillsState(deps, context, token);
  const place = listPlaces(state)[number];
  if (place === undefined)
    throw new AppError('PARAMETERS_INVALID', 'This button names no term of its list. Search again.');
  return { state, token, number, ...place };
}

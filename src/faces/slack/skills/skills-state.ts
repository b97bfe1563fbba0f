import { AppError } from '#errors';
import type { ShareTarget, SlackContext } from '../listener.ts';
import { readSavedState, readStateButton } from '../saved-state.ts';

/** Terms found for words, or in a text. Buttons name a term by its place: that in `listPlaces`. */
export interface SkillsState {
  readonly kind: 'skills';
  readonly from: 'words' | 'text';
  /** What was asked; of a text its beginning. */
  readonly asked: string;
  readonly groups: readonly TermGroup[];
  /** A correction of the words; null where there is none. */
  readonly didYouMean: string | null;
  /** Related terms that are not shown at first; where nothing was found, further corrections. */
  readonly related: readonly string[];
  /** Language of the text, where it was detected: a two-letter code. */
  readonly lang: string | null;
  /** Milliseconds; when the service gave this answer, where it gives none now. */
  readonly staleSinceMs: number | null;
  readonly shareTo: ShareTarget | null;
  /** Token of the list that this one replaced; null where it replaced none. */
  readonly back: string | null;
}

export interface TermGroup {
  /** Null for tags of a text: the service does not name their taxonomy. */
  readonly taxonomy: string | null;
  /** Best first. */
  readonly labels: readonly string[];
  /** Of the concepts, one for each label; absent where none is known. */
  readonly uris?: readonly (string | null)[];
}

export interface ChosenTerm {
  readonly state: SkillsState;
  readonly token: string;
  readonly label: string;
  readonly taxonomy: string | null;
}

export interface SkillsPage {
  readonly state: SkillsState;
  readonly token: string;
  /** Index of the only group that is shown, with all of its terms; null shows the best of each. */
  readonly only: number | null;
  readonly canShare: boolean;
  /** Address of the page of a concept; null for none. */
  pageOf(uri: string | null | undefined): string | null;
}

/** More would fill the window. */
const MAX_FIRST = 5;

/** The terms that are shown at first: the best of each taxonomy, then the second of each. */
export function listFirstSkills(groups: readonly TermGroup[]) {
  const depth = Math.max(0, ...groups.map(({ labels }) => labels.length));
  return Array.from({ length: Math.min(depth, MAX_FIRST) }, (_, rank) =>
    groups.flatMap(({ labels, taxonomy, uris }, group) => {
      const label = labels[rank];
      return label === undefined
        ? []
        : [{ label, taxonomy, uri: uris?.[rank], number: numberGroup({ groups }, group) + rank }];
    }),
  )
    .flat()
    .slice(0, MAX_FIRST);
}

interface Place {
  readonly label: string;
  readonly taxonomy: string | null;
}

/** Everything that a button may name, in the order of its numbers. */
function listPlaces({ groups, didYouMean, related, asked }: SkillsState): readonly Place[] {
  const terms = groups.flatMap(({ taxonomy, labels }) => labels.map((label) => ({ label, taxonomy })));
  const others = [...(didYouMean === null ? [] : [didYouMean]), ...related, asked];
  return [...terms, ...others.map((label) => ({ label, taxonomy: null }))];
}

export const numberGroup = ({ groups }: Pick<SkillsState, 'groups'>, index: number): number =>
  groups.slice(0, index).reduce((sum, { labels }) => sum + labels.length, 0);

/** The numbers of the places behind the groups; of related terms that of the first. */
export function numberPlaces(state: SkillsState) {
  const correction = numberGroup(state, state.groups.length);
  const related = correction + (state.didYouMean === null ? 0 : 1);
  return { correction, related, asked: related + state.related.length };
}

export const readSkillsState = (context: SlackContext, token: string): Promise<SkillsState> =>
  readSavedState<SkillsState>(context, { token, kind: 'skills' });

/** @param value of a button: `<token>:<number>`. Errors: SLACK_STATE_OVER, PARAMETERS_INVALID. */
export async function readChosenSkill(context: SlackContext, value: string): Promise<ChosenTerm> {
  const { token, number } = readStateButton(value);
  const state = await readSkillsState(context, token);
  const place = listPlaces(state)[number];
  if (place === undefined)
    throw new AppError('PARAMETERS_INVALID', 'This button names no term of its list. Search again.');
  return { state, token, ...place };
}

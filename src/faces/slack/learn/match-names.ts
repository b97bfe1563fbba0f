import { countTypos, foldText } from '#domain/text';

export interface Named {
  readonly value: string;
  readonly names: readonly string[];
  /** The name that people read, by locale; absent: the value. */
  readonly shown?: Readonly<Record<string, string>>;
}

/** A shorter part of a name could mean too much, and is in too many. */
const LEAST_PART = 3;

/** The value that has what was typed as a name, ignoring case, accents, blanks and plural; else as
 *  the beginning or a part of a name. Null where none fits, or a part fits several. */
export function matchName(typed: string, choices: readonly Named[]): string | null {
  const wanted = squeeze(typed);
  if (wanted === '') return null;
  const having = (fits: (name: string) => boolean) =>
    choices.filter((choice) => namesOf(choice).some((name) => fits(squeeze(name))));
  const exact = [wanted, singular(wanted)].flatMap((each) => having((name) => name === each));
  if (exact[0]) return exact[0].value;
  if (wanted.length < LEAST_PART) return null;
  const begun = having((name) => name.startsWith(wanted));
  const fitting = begun.length > 0 ? begun : having((name) => name.includes(wanted));
  const [only, ...others] = fitting;
  return only === undefined || others.length > 0 ? null : only.value;
}

/** Values that resemble what was typed, nearest first. */
export const findNearNames = (typed: string, choices: readonly Named[]): Named[] =>
  findNearestNames(squeeze(typed), choices, (choice) => namesOf(choice).map(squeeze));

const namesOf = ({ value, names, shown = {} }: Named) => [value, ...Object.values(shown), ...names];

const squeeze = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, '');

const singular = (text: string): string => text.replace(/[sx]$/, '');

/** Choices with a text that contains what was typed or differs from it in a letter or two, nearest
 *  first. Texts are compared as they are: fold them before. */
export function findNearestNames<T>(
  typed: string,
  choices: readonly T[],
  textsOf: (choice: T) => readonly string[],
): T[] {
  const distances = choices.map((choice) => ({
    choice,
    distance: Math.min(...textsOf(choice).map((text) => distanceOf(typed, text))),
  }));
  const near = distances.filter(({ distance }) => distance <= mistakesIn(typed));
  return near.sort((a, b) => a.distance - b.distance).map(({ choice }) => choice);
}

const mistakesIn = ({ length }: string): number => (length < 3 ? 0 : length < 5 ? 1 : 2);

function distanceOf(typed: string, text: string): number {
  if (typed.length >= LEAST_PART && text.includes(typed)) return 0;
  return Math.abs(typed.length - text.length) > 2 ? Number.POSITIVE_INFINITY : countTypos(typed, text);
}

import { foldText } from '../../../domain/text.ts';
import { findNearest } from './nearest.ts';

/** A value with what people may call it. */
export interface Named {
  readonly value: string;
  readonly names: readonly string[];
  /** What it is called by locale, where that is not its value. */
  readonly shown?: Readonly<Record<string, string>>;
}

/** A part of a name that is shorter could mean too much. */
const LEAST_PART = 3;

/** The value that was meant: by one of its names whatever its case, accents, blanks and plural, else by the beginning, else by a
 *  part of one, where only one has it. Null where it is none or could be several. */
export function matchName(typed: string, choices: readonly Named[]): string | null {
  const wanted = squeeze(typed);
  if (wanted === '') return null;
  const having = (fits: (name: string) => boolean) =>
    choices.filter(({ value, names }) => [value, ...names].some((name) => fits(squeeze(name))));
  const exact = [wanted, singular(wanted)].flatMap((each) => having((name) => name === each));
  if (exact[0]) return exact[0].value;
  if (wanted.length < LEAST_PART) return null;
  const begun = having((name) => name.startsWith(wanted));
  const fitting = begun.length > 0 ? begun : having((name) => name.includes(wanted));
  return fitting.length === 1 ? fitting[0]!.value : null;
}

/** Values that may have been meant by what is none, nearest first. */
export const findNearNames = (typed: string, choices: readonly Named[]): Named[] =>
  findNearest(squeeze(typed), choices, ({ value, names }) => [value, ...names].map(squeeze));

const squeeze = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
const singular = (text: string): string => text.replace(/[sx]$/, '');

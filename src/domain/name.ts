/** Characters. */
export const MAX_NAME_LENGTH = 100;

/** Controls, formats, surrogates, unassigned and private characters, and those that are drawn as nothing: they would make
 *  two names look the same, or turn the direction of the text after them. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const BLANKS = /\p{Zs}+/gu;
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u;

/** A name of a person, a tenant or a key as it is kept and looked for: composed, and without blanks that nobody sees. */
export function cleanName(name: string): string {
  return name.normalize('NFC').replace(BLANKS, ' ').trim();
}

/** What is wrong with a cleaned name; null when it can be used. */
export function findNameProblem(name: string): 'unprintable' | 'empty' | 'too-long' | null {
  if (UNPRINTABLE.test(name)) return 'unprintable';
  if (!LETTER_OR_NUMBER.test(name)) return 'empty';
  return [...name].length > MAX_NAME_LENGTH ? 'too-long' : null;
}

import { expect } from 'vitest';

const texts = [
  'Lyon',
  'École normale',
  '100% free',
  '1000 free',
  'under_score',
  'underXscore',
  'a.*b',
  'acccb',
  'back\\slash',
  "O'Hara",
  'snake 🐍',
] as const;

const found: readonly (readonly [search: string, texts: readonly string[]])[] = [
  ['Lyon', ['Lyon']],
  ['LYON', ['Lyon']],
  ['yo', ['Lyon']],
  ['ecole', ['École normale']],
  ['ÉCOLE', ['École normale']],
  ['e\u0301cole', ['École normale']],
  ['école normale', ['École normale']],
  ['%', ['100% free']],
  ['0%', ['100% free']],
  ['_', ['under_score']],
  ['r_s', ['under_score']],
  ['.*', ['a.*b']],
  ['.', ['a.*b']],
  ['\\', ['back\\slash']],
  ['\\s', ['back\\slash']],
  ["'", ["O'Hara"]],
  ["' OR 1=1 --", []],
  ['🐍', ['snake 🐍']],
  ['^', []],
  ['$', []],
  ['(', []],
  ['[', []],
  ['*', ['a.*b']],
  ['?', []],
  ['free', ['100% free', '1000 free']],
  ['nowhere', []],
  ['', texts],
];

/** Holds a list's search to what all of them promise: any part, in any case, with or without accents, and no character
 *  with a meaning of its own. `add` stores a record with the text; `find` gives the texts of the records found. */
export async function expectPlainSearch(
  add: (text: string, number: number) => Promise<unknown>,
  find: (search: string) => Promise<readonly (string | null)[]>,
): Promise<void> {
  for (const [number, text] of texts.entries()) await add(text, number);
  for (const [search, expected] of found) {
    expect((await find(search)).toSorted(), `search for ${search}`).toEqual(expected.toSorted());
  }
}

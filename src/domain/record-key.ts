/** Joins the parts of a key with spaces. Keys sort like their parts, and different parts never make
 *  the same key: in all parts but the last, a space and its neighbours in the character order are
 *  written as `!` and a letter. Tenant ids, days and names have none of these.
 *  @example toRecordKey(['t1', 'a b', 'c d']) // 't1 a!Pb c d' */
export function toRecordKey(parts: readonly string[]): string {
  const first = parts.slice(0, -1).map((part) => part.replace(/[\0-!]/g, escapeKeyCharacter));
  return [...first, parts.at(-1)].join(' ');
}

/** @example splitRecordKey('t1 a!Pb c d', 3) // ['t1', 'a b', 'c d'] */
export function splitRecordKey(key: string, count: number): string[] {
  const all = key.split(' ');
  const first = all.slice(0, count - 1).map((part) => part.replace(/!(.)/g, unescapeKeyCharacter));
  return [...first, all.slice(count - 1).join(' ')];
}

/** Compares keys in the order of both stores. */
export const compareKeyBytes = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Distance to visible characters in the same order. */
const SHIFT = 0x30;

const escapeKeyCharacter = (character: string): string => `!${String.fromCharCode(character.charCodeAt(0) + SHIFT)}`;

function unescapeKeyCharacter(_escaped: string, character: string): string {
  return String.fromCharCode(character.charCodeAt(0) - SHIFT);
}

const LIGATURES: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** With blanks, but not the invisible U+FEFF, which `\s` has. */
const ASCII_ONLY = /^[\x20-\x7e\t-\r\xa0]*$/;
/** Marks on letters, and characters that only say how to draw them, such as a zero-width space. */
const MARKS = /[\p{M}\p{Cf}]+/gu;
const FOREIGN_LETTERS = /[œæßøłđðþı]/g;

/** Lower case without diacritics or ligatures: `Œuvre` and `oeuvre` become the same. Lengths may change. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII_ONLY.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(FOREIGN_LETTERS, (letter) => LIGATURES[letter] ?? letter)
    .normalize('NFC');
}

/** What is not ASCII, and capitals, which `fold` leaves of some signs (`™`). */
const UNFOLDED = /[^\0-@[-\x7f]/gu;

/** A letter, a digit, or half of one. */
const PART_OF_WORD = /[\p{L}\p{N}\p{Cs}]/u;

/** Signs that end a clause; folded, all are this one. */
const CLAUSE_SIGN = /^[–—―«»“”„…]$/;
const FOLDED_CLAUSE_SIGN = ';';

/** Common text never folds one letter into more than these. */
export const MOST_FOLDED = 4;

/** Signs of more than 16 bits beyond these are rare. */
const MOST_KNOWN = 0x20000;

/** By code point: what it is folded to, all in ASCII; null where that cannot be. */
const known = new Map<number, string | null>();

/** Most letters of Latin scripts are below. */
const LATIN = 0x180;
/** By code unit: the one byte of ASCII that it is folded to; 0 where it is more than one, or left to `fold`. */
const latinLetters = Uint8Array.from({ length: LATIN }, (_, code) => {
  const folded = foldAlone(String.fromCharCode(code));
  return folded?.length === 1 ? folded.charCodeAt(0) : 0;
});

/** Fold a text letter by letter, as `fold` does at once.
 *  @param into room for `MOST_FOLDED` bytes for each code unit
 *  @param isCapital where it is asked for, as long; 1 where the text has a capital of ASCII
 *  @return how many bytes, all of ASCII; -1 where letters beyond ASCII are left, which is to be left to `fold` */
export function foldCodes(text: string, into: Uint8Array, isCapital?: Uint8Array): number {
  let end = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const letter = code < LATIN ? latinLetters[code]! : 0;
    if (letter !== 0) {
      if (isCapital !== undefined) isCapital[end] = code >= 0x41 && code <= 0x5a ? 1 : 0;
      into[end++] = letter;
      continue;
    }
    const point = text.codePointAt(i)!;
    const folded = foldCode(point);
    if (folded === null) return -1;
    if (point > 0xffff) i++;
    isCapital?.fill(0, end, end + folded.length);
    for (let k = 0; k < folded.length; k++) into[end++] = folded.charCodeAt(k);
  }
  return end;
}

function foldCode(code: number): string | null {
  let folded = known.get(code);
  if (folded === undefined) {
    folded = foldAlone(String.fromCodePoint(code));
    if (code < MOST_KNOWN) known.set(code, folded);
  }
  return folded;
}

/** What is neither letter nor digit separates words. No letter that is left changes its form beside others. */
function foldAlone(letter: string): string | null {
  if (CLAUSE_SIGN.test(letter)) return FOLDED_CLAUSE_SIGN;
  const folded = fold(letter);
  const unfolded = folded.match(UNFOLDED)?.join('') ?? '';
  return folded.length > MOST_FOLDED || PART_OF_WORD.test(unfolded) ? null : folded.replace(UNFOLDED, ' ');
}

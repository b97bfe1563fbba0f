const SPECIAL_LETTERS: Readonly<Record<string, string>> = {
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

/** ASCII with its spaces and the no-break space; `\s` would include the invisible U+FEFF. */
const ASCII_ONLY = /^[\x20-\x7e\t-\r\xa0]*$/;
/** Diacritics, and invisible characters such as the zero-width joiner. */
const MARKS = /[\p{M}\p{Cf}]+/gu;
const SPECIAL_LETTER = /[œæßøłđðþı]/g;

/** Returns a text in lower case, without diacritics or ligatures. Its length may change.
 *  @example fold('Œuvre') // 'oeuvre' */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII_ONLY.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(SPECIAL_LETTER, (letter) => SPECIAL_LETTERS[letter] ?? letter)
    .normalize('NFC');
}

/** Characters beyond ASCII, and the capitals that `fold` makes of some signs (`™`). */
const UNFOLDED = /[^\0-@[-\x7f]/gu;

/** A letter, a digit, or a surrogate. */
const PART_OF_WORD = /[\p{L}\p{N}\p{Cs}]/u;

/** Signs that end a clause; all are folded to the same sign. */
const CLAUSE_SIGN = /^[–—―«»“”„…]$/;
const FOLDED_CLAUSE_SIGN = ';';

/** The most characters to which a letter of common text is folded. */
export const MAX_FOLDED_LENGTH = 4;

/** Further code points are rare, so they are not cached. */
const MAX_CACHED_CODE = 0x20000;

/** Cached forms in ASCII by code point; null if it has none. */
const foldedCodes = new Map<number, string | null>();

/** The end of the code points that contain most Latin letters. */
const LATIN = 0x180;
/** By code unit: its folded form if that is a single ASCII character, else 0. */
const latinLetters = Uint8Array.from({ length: LATIN }, (_, code) => {
  const folded = foldAlone(String.fromCharCode(code));
  return folded?.length === 1 ? folded.charCodeAt(0) : 0;
});

/** Folds a text as `fold` does, but into bytes, without creating a string.
 *  @param into has room for `MAX_FOLDED_LENGTH` bytes for each code unit
 *  @param isCapital receives 1 for each folded byte that was an ASCII capital, else 0
 *  @returns the number of bytes, all ASCII; -1 if the folded text is not ASCII: use `fold` then */
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
  let folded = foldedCodes.get(code);
  if (folded === undefined) {
    folded = foldAlone(String.fromCodePoint(code));
    if (code < MAX_CACHED_CODE) foldedCodes.set(code, folded);
  }
  return folded;
}

/** Folds a letter, which does not depend on its neighbours. A sign that is neither a letter nor a
 *  digit becomes a space, as it separates words. @returns null if the form is not ASCII */
function foldAlone(letter: string): string | null {
  if (CLAUSE_SIGN.test(letter)) return FOLDED_CLAUSE_SIGN;
  const folded = fold(letter);
  const unfolded = folded.match(UNFOLDED)?.join('') ?? '';
  return folded.length > MAX_FOLDED_LENGTH || PART_OF_WORD.test(unfolded) ? null : folded.replace(UNFOLDED, ' ');
}

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

const ASCII_ONLY = /^[\x20-\x7e\s]*$/;
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

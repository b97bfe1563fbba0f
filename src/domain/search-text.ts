const MARKS = /\p{M}+/gu;

/** A text as both stores compare it: without case and accents, so that "Lyon" and "école" are found however they are typed. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase();
}

/** Several texts to search at once, folded, with a character between them that nobody types. Not a list: some servers match
 *  its brackets and commas too. */
export function foldTexts(...texts: readonly (string | null)[]): string {
  return texts.map((part) => foldText(part ?? '')).join('\u001f');
}

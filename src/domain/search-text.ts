const MARKS = /\p{M}+/gu;

/** A text as both stores compare it: without case and accents, so that "Lyon" and "école" are found however they are typed. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase();
}

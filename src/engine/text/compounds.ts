/** Letters of each part of a compound, at least. */
const MIN_PART = 4;
/** What German puts between the parts of a compound: `Arbeitsschutz`. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er'];

/** Splits a German compound into two words that documents have, with the longest second one, which
 *  says what it is; none if there are no such words.
 *  @param word folded
 *  @example splitCompound('projektmanagement', isWritten) // ['projekt', 'management'] */
export function splitCompound(word: string, isWritten: (word: string) => boolean): readonly string[] {
  for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
    const head = word.slice(at);
    if (!isWritten(head)) continue;
    const first = word.slice(0, at);
    const link = LINKS.find(
      (each) =>
        first.endsWith(each) &&
        first.length - each.length >= MIN_PART &&
        isWritten(first.slice(0, first.length - each.length)),
    );
    if (link !== undefined) return [first.slice(0, first.length - link.length), head];
  }
  return [];
}

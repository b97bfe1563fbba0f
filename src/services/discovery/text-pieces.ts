/** A tagger gives its best for 100 to 500 characters. */
const PIECE_LENGTH = 500;
/** Up to here a text is tagged as it is. */
const WHOLE_LENGTH = 1_000;
const MAX_PIECES = 8;

/** Ends of sentences and lines. */
const ENDS = /(?<=[.!?…;])\s+|\n\s*/u;
/** What is left of a text without such ends is cut at blanks, or anywhere. */
const LONG_RUN = new RegExp(`.{1,${PIECE_LENGTH}}(?:\\s|$)|.{${PIECE_LENGTH}}`, 'gsu');

/** A long text in pieces of about the same length, which together are the whole text but for blanks. */
export function cutText(text: string): readonly string[] {
  if (text.length <= WHOLE_LENGTH) return [text];
  const sentences = text.split(ENDS).flatMap((sentence) => sentence.match(LONG_RUN) ?? []);
  const length = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  const count = Math.min(MAX_PIECES, Math.ceil(length / PIECE_LENGTH));
  const pieces: string[][] = Array.from({ length: count }, () => []);
  let start = 0;
  for (const sentence of sentences) {
    // Where its middle is: so no piece is much longer than another.
    const at = (start + sentence.length / 2) / length;
    pieces[Math.floor(at * count)]!.push(sentence);
    start += sentence.length;
  }
  return pieces.filter((piece) => piece.length > 0).map((piece) => piece.join(' '));
}

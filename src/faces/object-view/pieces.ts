import type { Highlight } from '../../ports/learning-service.ts';

/** A piece of text, marked where it matched. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

export function cutAtMatches(text: string, ranges: Highlight['title']): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const [from, to] of ranges) {
    if (from > end) pieces.push({ text: text.slice(end, from), isMatch: false });
    pieces.push({ text: text.slice(from, to), isMatch: true });
    end = to;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMatch: false });
  return pieces;
}

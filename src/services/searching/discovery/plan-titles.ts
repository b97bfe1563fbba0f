import type { TextSpan } from '#ports/learning-service';

export interface MarkedText {
  readonly text: string;
  /** The same words in the text as it was. */
  findOwn(span: TextSpan): TextSpan;
}

/** By this our tagger knows that a line is a title, which names what is taught. */
const MARK = 'Week 1: ';
const MAX_TITLE_WORDS = 8;
/** Sentences end so; titles of lists and lists themselves, too. */
const END = /[.!?;:,…]$/u;

/** Marks the lines of a text that are titles of what stands below them, for our own tagger.
 *  @param isHeaded whether the first line is one whatever it looks like, as in a week */
export function markPlanTitles(text: string, isHeaded: boolean): MarkedText {
  const lines = text.split('\n');
  const marks: number[] = [];
  let length = 0;
  const marked = lines.map((line, i) => {
    const isTitle = (i === 0 && isHeaded) || isTitleLine(line, lines.slice(i + 1));
    const begins = line.search(/[\p{L}\p{N}]/u);
    const written = isTitle && begins >= 0 ? `${line.slice(0, begins)}${MARK}${line.slice(begins)}` : line;
    if (written !== line) marks.push(length + begins);
    length += written.length + 1;
    return written;
  });
  const findOwnPlace = (place: number) =>
    marks.reduce((own, mark) => own - Math.min(MARK.length, Math.max(0, place - mark)), place);
  return {
    text: marked.join('\n'),
    findOwn: ([start, end]) => [findOwnPlace(start), findOwnPlace(end)],
  };
}

function isTitleLine(line: string, below: readonly string[]): boolean {
  const words = line.trim();
  const next = below.find((other) => other.trim() !== '');
  return next !== undefined && !END.test(words) && words.split(/\s+/).length <= MAX_TITLE_WORDS;
}

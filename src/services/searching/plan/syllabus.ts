import type { TextSpan } from '#ports/learning-service';

/** A part of a syllabus: a week, a session, a module. */
export interface SyllabusWeek {
  /** As written: `Week 2: Programming`; at most 80 characters. */
  readonly title: string;
  /** Its content, without the word and number that count it. */
  readonly text: string;
  /** Whether the first line of `text` comes from its title. */
  readonly hasHeading: boolean;
}

const MAX_TITLE_LENGTH = 80;

/** A text with more parts has a table of contents. */
const MAX_WEEKS = 30;

const KINDS =
  'week|semaine|session|séance|module|unit|unité|lesson|leçon|lecture|chapter|chapitre|part|partie|day|jour|topic|thème';

const BLANK = ' \\t\\u00a0\\u202f';

/** A line that begins with such a word and a number, after marks of lists and titles. */
const HEADING = new RegExp(
  `^[${BLANK}#*•–-]*(?<title>(?<kind>${KINDS})[${BLANK}]+(?:n°[${BLANK}]*)?(?:\\d{1,2}(?:[${BLANK}]*[-–][${BLANK}]*\\d{1,2})?|[ivx]{1,5})(?![\\p{L}\\d])[${BLANK}.:)|*–-]*(?<rest>[^\\n]*))$`,
  'gimu',
);

/** The weeks of a syllabus, or the kind of parts that it has most of; empty where it has fewer than
 *  two. Text before the first part is left out, as it is about all of them. */
export function splitIntoWeeks(text: string): readonly SyllabusWeek[] {
  const headings = [...text.matchAll(HEADING)];
  const counts = new Map<string, number>();
  for (const { groups } of headings) {
    const kind = groups?.kind?.toLowerCase() ?? '';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const [[kind, count] = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
  if (count < 2 || count > MAX_WEEKS) return [];
  const chosen = headings.filter(({ groups }) => groups?.kind?.toLowerCase() === kind);
  return chosen.map((heading, i) => {
    const { title = '', rest = '' } = heading.groups ?? {};
    const below = text.slice(heading.index + heading[0].length, chosen[i + 1]?.index);
    return {
      title: cutTitle(title.replace(/[\s:*|–-]+$/u, '')),
      text: `${rest}\n${below}`.trim(),
      hasHeading: rest.trim() !== '',
    };
  });
}

function cutTitle(title: string): string {
  const letters = [...title];
  if (letters.length <= MAX_TITLE_LENGTH) return title;
  return `${letters
    .slice(0, MAX_TITLE_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}

/** The built-in tagger takes a line that begins like this for a title, which names what is
 *  taught. */
const MARK = 'Week 1: ';
const MAX_TITLE_WORDS = 8;
/** Sentences end like this; so do titles of lists, and lists. */
const END = /[.!?;:,…]$/u;

/** Marks the titles in a text, for the built-in tagger.
 *  @param hasHeading whether the first line is a title whatever it looks like */
export function markTitles(text: string, hasHeading: boolean) {
  const lines = text.split('\n');
  const marks: number[] = [];
  let length = 0;
  const marked = lines.map((line, i) => {
    const isTitle = (i === 0 && hasHeading) || isTitleLine(line, lines.slice(i + 1));
    const start = line.search(/[\p{L}\p{N}]/u);
    const written = isTitle && start >= 0 ? `${line.slice(0, start)}${MARK}${line.slice(start)}` : line;
    if (written !== line) marks.push(length + start);
    length += written.length + 1;
    return written;
  });
  const toOriginal = (place: number) =>
    marks.reduce((rest, mark) => rest - Math.min(MARK.length, Math.max(0, place - mark)), place);
  return {
    text: marked.join('\n'),
    /** The place in the unmarked text of a place in the marked one. */
    toOriginal: ([start, end]: TextSpan): TextSpan => [toOriginal(start), toOriginal(end)],
  };
}

function isTitleLine(line: string, below: readonly string[]): boolean {
  const words = line.trim();
  const hasTextBelow = below.some((other) => other.trim() !== '');
  return hasTextBelow && !END.test(words) && words.split(/\s+/).length <= MAX_TITLE_WORDS;
}

/** A tagger works best on 100 to 500 characters. */
const PIECE_LENGTH = 500;
/** Texts up to this length are tagged in one piece. */
const WHOLE_LENGTH = 1_000;
const MAX_PIECES = 8;

/** Ends of sentences and lines. */
const SENTENCE_ENDS = /(?<=[.!?…;])\s+|\n\s*/u;
/** A text without such ends is cut at blanks, or anywhere. */
const LONG_RUN = new RegExp(`.{1,${PIECE_LENGTH}}(?:\\s|$)|.{${PIECE_LENGTH}}`, 'gsu');

/** A long text in pieces of about the same length, which together are the whole text except
 *  blanks. */
export function cutIntoPieces(text: string): readonly string[] {
  if (text.length <= WHOLE_LENGTH) return [text];
  const sentences = text.split(SENTENCE_ENDS).flatMap((sentence) => sentence.match(LONG_RUN) ?? []);
  const length = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  const count = Math.min(MAX_PIECES, Math.ceil(length / PIECE_LENGTH));
  const pieces: string[][] = Array.from({ length: count }, () => []);
  let start = 0;
  for (const sentence of sentences) {
    // By its middle, so that no piece is much longer than another.
    const middle = (start + sentence.length / 2) / length;
    pieces[Math.floor(middle * count)]?.push(sentence);
    start += sentence.length;
  }
  return pieces.filter((piece) => piece.length > 0).map((piece) => piece.join(' '));
}

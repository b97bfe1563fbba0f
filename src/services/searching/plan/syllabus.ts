import { cutToCharacters } from '#domain/text';
import type { TextSpan } from '#ports/learning-service';

/** A part of a syllabus: a week, a session, a module. */
export interface SyllabusWeek {
  /** The title as written: `Week 2: Programming`; at most 80 characters. */
  readonly title: string;
  /** The content without its number, people, rooms, grading and rules. Empty for an exam. */
  readonly text: string;
  /** Whether the first line of `text` comes from its title. */
  readonly hasHeading: boolean;
}

/** Returns the text below the title. */
export const readSyllabusDetails = ({ text, hasHeading }: SyllabusWeek): string =>
  hasHeading ? text.replace(/^.*\n?/, '') : text;

const MAX_TITLE_LENGTH = 80;
/** A text with more parts has a table of contents. */
const MAX_WEEKS = 30;
/** Lines without a word such as `week` count as titles if there are at least this many. */
const MIN_UNNAMED_WEEKS = 3;

const KINDS =
  'week|semaine|woche|semana|session|sesión|séance|sitzung|séquence|sequence|module|modul|módulo|unit|unité|unidad|einheit|lesson|' +
  'leçon|lección|lektion|lecture|chapter|chapitre|kapitel|capítulo|part|partie|teil|day|jour|journée|tag|día|topic|thème|thema|' +
  'tema|bloc|block|section|étape|step|cours';

const BLANK = ' \\t\\u00a0\\u202f';
const DATE =
  `(?:\\d{1,2}(?:er|st|nd|rd|th|\\.)?[${BLANK}]+(?:de[${BLANK}]+)?\\p{L}{3,10}\\.?|\\p{L}{3,10}\\.?[${BLANK}]+\\d{1,2}(?:st|nd|rd|th)?` +
  `|\\d{1,2}[./-]\\d{1,2}(?:[./-]\\d{2,4})?)(?:[${BLANK}]+\\d{4})?`;
const NUMBER = `(?:n°[${BLANK}]*)?(?:\\d{1,2}(?:[${BLANK}]*[-–][${BLANK}]*\\d{1,2})?|[ivx]{1,5})`;

/** Lines that begin a part, after marks of lists and titles: title, `kind`, and the rest. */
const HEADINGS: readonly { readonly line: RegExp; readonly min: number }[] = [
  {
    // `Week 3: …`, `Séance n° 3`, `Semaine du 4 mars`, `Week of 12 Oct`
    line: new RegExp(
      `^[${BLANK}#*•–-]*(?<title>(?<kind>${KINDS})[${BLANK}]+(?:${NUMBER}|(?:of|du|vom|ab|del|de)[${BLANK}]+${DATE})(?![\\p{L}\\d])[${BLANK}.:)|*–-]*(?<rest>[^\\n]*))$`,
      'gimu',
    ),
    min: 2,
  },
  {
    // `3. Woche`, `2e séance`
    line: new RegExp(
      `^[${BLANK}#*•–-]*(?<title>\\d{1,2}(?:\\.|re|ère|e|ème|st|nd|rd|th)[${BLANK}]+(?<kind>${KINDS})(?![\\p{L}\\d])[${BLANK}.:)|*–-]*(?<rest>[^\\n]*))$`,
      'gimu',
    ),
    min: 2,
  },
  // Markdown
  { line: new RegExp(`^(?<kind>#{2,6})[${BLANK}]+(?<title>(?<rest>[^\\n]+))$`, 'gmu'), min: MIN_UNNAMED_WEEKS },
  // `1. …`, `I. …`
  {
    line: new RegExp(`^(?<title>(?:\\d{1,2}(?<kind>[.)])|[IVX]{1,5}\\.)[${BLANK}]+(?<rest>\\p{L}[^\\n]*))$`, 'gmu'),
    min: MIN_UNNAMED_WEEKS,
  },
];

/** Returns the weeks, or the most frequent parts; empty for fewer than two. */
export function splitSyllabusIntoWeeks(text: string): readonly SyllabusWeek[] {
  const table = splitSyllabusTable(text);
  if (table.length >= MIN_UNNAMED_WEEKS) return table.slice(0, MAX_WEEKS);
  for (const { line, min } of HEADINGS) {
    const chosen = chooseSyllabusHeadings([...text.matchAll(line)]);
    if (chosen.length < min || chosen.length > MAX_WEEKS) continue;
    return cutSyllabusAtHeadings(text, chosen).filter(({ title }) => min < MIN_UNNAMED_WEEKS || !ASIDE.test(title));
  }
  const plain = listPlainHeadings(text);
  return plain.length < MIN_UNNAMED_WEEKS || plain.length > MAX_WEEKS ? [] : cutSyllabusAtHeadings(text, plain);
}

interface Heading {
  readonly index: number;
  readonly 0: string;
  readonly groups?: Record<string, string | undefined> | undefined;
}

function chooseSyllabusHeadings(headings: readonly Heading[]): readonly Heading[] {
  const kindOf = ({ groups }: Heading) => groups?.kind?.toLowerCase() ?? '';
  const counts = new Map<string, number>();
  for (const heading of headings) counts.set(kindOf(heading), (counts.get(kindOf(heading)) ?? 0) + 1);
  const [[most] = ['']] = [...counts].sort(([, a], [, b]) => b - a);
  return headings.filter((heading) => kindOf(heading) === most);
}

function cutSyllabusAtHeadings(text: string, headings: readonly Heading[]): SyllabusWeek[] {
  return headings.map((heading, i) => {
    const { title = '', rest = '' } = heading.groups ?? {};
    const below = text.slice(heading.index + heading[0].length, headings[i + 1]?.index);
    return toSyllabusWeek(title.replace(/[\s:*|–-]+$/u, ''), rest.trim(), dropSyllabusAsides(below));
  });
}

function toSyllabusWeek(title: string, heading: string, below: string): SyllabusWeek {
  const isExam = EXAM.test(heading) || (heading === '' && EXAM.test(below.trim()));
  return {
    title: cutToCharacters(title, MAX_TITLE_LENGTH),
    text: isExam ? '' : `${heading}\n${below}`.trim(),
    hasHeading: heading !== '',
  };
}

/** Lines about people, rooms, grading and rules. */
const ASIDE = new RegExp(
  String.raw`^[\s#*•–-]*(?:assessment|grading|grades|evaluation|évaluation|modalités|bewertung|evaluación|office hours|permanence|` +
    'sprechstunde|attendance|polic(?:y|ies)|règlement|academic honesty|contacts?|instructors?|lecturers?|tutors?|mentors?|prof(?:essor)?|' +
    'enseignante?s?|intervenante?s?|formateurs?|formatrices?|chargée? de td|tuteurs?|dozent(?:in)?|profesora?|docente|room|salle|raum|' +
    String.raw`période en entreprise|prévoir|textbooks?|required reading|bibliograph(?:y|ie))(?=\s*$|[^\n]{0,60}[:(–.])|` +
    String.raw`office hours|late work|plagiarism|plagiat|demo day|absences?\b.*(?:justifi|mean|excused)|coefficient|calculat(?:or|rice)|` +
    String.raw`laptops? (?:are|is)|lab coats?|uniform|badge|tenue professionnelle|téléphones? éteint|homework counts|\d\s?%[^\n]*\d\s?%`,
  'iu',
);
/** Parts that begin like this have no content to learn. */
const EXAM =
  /^(?:(?:mid-?term|final|oral|written)[ -]+exam|exam(?:en|ination)?s?\b|galop|partiel\b|klausur|prüfung|révisions?\b|revision\b|no class|vacances|holidays?\b)/iu;

/** Drops asides, each with the rest of its paragraph. */
function dropSyllabusAsides(text: string): string {
  return text
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) => {
      const lines = paragraph.split('\n');
      const aside = lines.findIndex((line) => ASIDE.test(line));
      return (aside < 0 ? lines : lines.slice(0, aside)).join('\n');
    })
    .join('\n\n');
}

const CELL_NUMBER = new RegExp(`^(?:(?:${KINDS})[${BLANK}]+)?\\d{1,2}$|^${DATE}$`, 'iu');
const CELL_DATE = new RegExp(`^${DATE}$`, 'iu');
/** A reading assignment, by pages or chapters. */
const CELL_READING = /^(?:ch(?:ap(?:ter|itre)?)?|pp?|s|kap|cap)\.? ?\d/iu;

/** Reads a table of a word processor (tabs) or Markdown, whose first cells are numbers or dates. */
function splitSyllabusTable(text: string): readonly SyllabusWeek[] {
  const rows = text.split('\n').map((line) => {
    const cells = line.split(/\t|(?<=^|\s)\||\|(?=\s|$)/).map((cell) => cell.trim());
    return cells.filter((cell, i) => cell !== '' || (i > 0 && i < cells.length - 1));
  });
  const isWeek = (cells: readonly string[]) => cells.length > 1 && CELL_NUMBER.test(cells[0] ?? '');
  const header = rows[rows.findIndex(isWeek) - 1] ?? [];
  const name = header.length > 1 && /^\d+$/.test(rows.find(isWeek)?.[0] ?? '') ? `${header[0]} ` : '';
  return rows.filter(isWeek).map(([first = '', ...cells]) => {
    const content = cells.filter((cell) => cell !== '' && !CELL_DATE.test(cell) && !CELL_READING.test(cell));
    const topic = content.join('. ');
    return toSyllabusWeek(topic === '' ? name + first : `${name}${first}: ${topic}`, topic, '');
  });
}

/** Returns short lines with a list, or sentences, below them. */
function listPlainHeadings(text: string): readonly Heading[] {
  const headings: Heading[] = [];
  let index = 0;
  const lines = text.split('\n');
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1] ?? '';
    const next = lines.slice(i + 1).find((below) => below.trim() !== '') ?? '';
    const isFirst = before.trim() === '' || ITEM.test(before) || END.test(before.trim());
    const hasContent = ITEM.test(next) || next.trim().split(/\s+/).length > line.trim().split(/\s+/).length;
    if (/^\p{L}/u.test(line) && i > 0 && isFirst && hasContent && isTitleLine(line, [next]) && !ASIDE.test(line))
      headings.push({ index, 0: line, groups: { title: line.trim(), rest: line.trim() } });
    index += line.length + 1;
  }
  return headings;
}

/** An item of a list, or an indented line. */
const ITEM = /^\s*[-*•–·◦]\s|^\s{2,}\S|^\t\S/u;

/** The built-in tagger takes a line with this beginning for a title. */
const MARK = 'Week 1: ';
const MAX_TITLE_WORDS = 8;
/** The end of a sentence or of an item of a list, which titles do not have. */
const END = /[.!?;:,…]$/u;

/** Marks titles for the built-in tagger. @param hasHeading whether the first line is a title */
export function markSyllabusTitles(text: string, hasHeading: boolean) {
  const lines = text.split('\n');
  const marks: number[] = [];
  let length = 0;
  const marked = lines.map((line, i) => {
    const isTitle = (i === 0 && hasHeading) || isTitleLine(line, lines.slice(i + 1));
    const start = line.search(/[\p{L}\p{N}]/u);
    const markedLine = isTitle && start >= 0 ? `${line.slice(0, start)}${MARK}${line.slice(start)}` : line;
    if (markedLine !== line) marks.push(length + start);
    length += markedLine.length + 1;
    return markedLine;
  });
  const toOriginal = (place: number) =>
    marks.reduce((original, mark) => original - Math.min(MARK.length, Math.max(0, place - mark)), place);
  return {
    text: marked.join('\n'),
    /** Converts a span of the marked text to one of the unmarked text. */
    toOriginal: ([start, end]: TextSpan): TextSpan => [toOriginal(start), toOriginal(end)],
  };
}

function isTitleLine(line: string, below: readonly string[]): boolean {
  const words = line.trim();
  const hasTextBelow = below.some((lower) => lower.trim() !== '');
  return hasTextBelow && !END.test(words) && words.split(/\s+/).length <= MAX_TITLE_WORDS;
}

/** A tagger works best on 100 to 500 characters. */
const PIECE_LENGTH = 500;
/** Texts up to this length are tagged in one piece. */
const WHOLE_LENGTH = 1_000;
const MAX_PIECES = 8;
const SENTENCE_ENDS = /(?<=[.!?…;])\s+|\n\s*/u;
/** A sentence that is too long is cut at blanks, or anywhere. */
const LONG_RUN = new RegExp(`.{1,${PIECE_LENGTH}}(?:\\s|$)|.{${PIECE_LENGTH}}`, 'gsu');

/** Cuts a text into pieces of about the same length; only blanks between them are lost. */
export function cutSyllabusIntoPieces(text: string): readonly string[] {
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

import { type Handler, Parser } from 'htmlparser2';
import type { SourceFile } from '../files/source-file.ts';
import { MAX_COLUMNS } from './columns.ts';

export interface SheetRow {
  /** Its number from 0; rows without cells may be absent. */
  readonly index: number;
  readonly cells: readonly string[];
}

const MAX_DEPTH = 64;
/** Excel's limit for a cell: a million cells may share a long text. */
const MAX_CHARACTERS = 32_767;

/** Reads one sheet of an Excel workbook (ECMA-376, part 1, chapter 18), a chunk at a time; texts
 *  and styles are held in memory.
 *  1. `xl/workbook.xml` names the sheets, and its relationships their files.
 *  2. Cells refer to shared texts and, for dates, to styles.
 *  3. Rows are returned while the file is unpacked. Errors: Error with the reason.
 *  @param sheet name of the sheet; the first by default */
export async function* readXlsxRows(entries: readonly SourceFile[], sheet?: string): AsyncGenerator<SheetRow> {
  const findEntry = (target: string) => entries.find(({ path }) => path === target);
  const workbook = await readXlsxWorkbook(findEntry('xl/workbook.xml'));
  const targets = await readXlsxTargets(findEntry('xl/_rels/workbook.xml.rels'));
  const chosen = sheet === undefined ? workbook.sheets[0] : workbook.sheets.find(({ name }) => name === sheet);
  if (chosen === undefined) {
    if (workbook.sheets.length === 0) throw new Error('it has no sheet');
    const names = workbook.sheets.slice(0, 50).map(({ name }) => name.slice(0, 100));
    throw new Error(`there is no sheet ${sheet ?? 1}. It has ${names.join(', ')}`);
  }
  const file = findEntry(targets.get(chosen.id)?.path ?? '');
  if (file === undefined) throw new Error(`the sheet ${chosen.name.slice(0, 100)} is missing`);
  const findByKind = (kind: string) =>
    findEntry([...targets.values()].find(({ type }) => type.endsWith(`/${kind}`))?.path ?? '');
  const texts = await readXlsxTexts(findByKind('sharedStrings'));
  const isDate = await readXlsxDateStyles(findByKind('styles'));
  yield* readXlsxSheetRows(file, { texts, isDate, daysBefore: workbook.is1904 ? DAYS_TO_1904 : 0 });
}

interface XmlHandler {
  /** @param name without its prefix */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Parses a file, and yields after each chunk of it. */
async function* readXlsxXml(file: SourceFile, { open, text, close }: XmlHandler): AsyncGenerator<void> {
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  let depth = 0;
  const handler: Partial<Handler> = {
    onopentag(name, attributes) {
      if (++depth > MAX_DEPTH) throw new Error(`its elements are nested more than ${MAX_DEPTH} deep`);
      open?.(local(name), attributes);
    },
    ...(text && { ontext: text }),
    onclosetag(name) {
      depth--;
      close?.(local(name));
    },
  };
  const parser = new Parser(handler, { xmlMode: true, decodeEntities: true });
  const decoder = new TextDecoder();
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.end();
  yield;
}

async function readWholeXlsxXml(file: SourceFile | undefined, handler: XmlHandler): Promise<void> {
  if (file !== undefined) for await (const _ of readXlsxXml(file, handler));
}

async function readXlsxWorkbook(file: SourceFile | undefined) {
  const sheets: { readonly name: string; readonly id: string }[] = [];
  let is1904 = false;
  await readWholeXlsxXml(file, {
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (tag !== 'sheet') return;
      const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1];
      sheets.push({ name: attributes.name ?? '', id: id ?? '' });
    },
  });
  return { sheets, is1904 };
}

/** The files of a workbook by the ids of their relationships. */
async function readXlsxTargets(file: SourceFile | undefined) {
  const targets = new Map<string, { readonly type: string; readonly path: string }>();
  await readWholeXlsxXml(file, {
    open(tag, { Id = '', Type: type = '', Target = '' }) {
      if (tag === 'Relationship') targets.set(Id, { type, path: new URL(Target, 'zip:/xl/').pathname.slice(1) });
    },
  });
  return targets;
}

async function readXlsxTexts(file: SourceFile | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await readWholeXlsxXml(file, {
    open(tag) {
      if (tag === 'si') text = '';
      else if (tag === 'rPh') isPhonetic = true;
      isText = tag === 't' && !isPhonetic;
    },
    text(part) {
      if (isText) text += part;
    },
    close(tag) {
      isText = false;
      if (tag === 'rPh') isPhonetic = false;
      else if (tag === 'si') texts.push(unescapeXlsxText(text.slice(0, MAX_CHARACTERS)));
    },
  });
  return texts;
}

/** Reads control characters, which are written as `_x000D_`. */
function unescapeXlsxText(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}

/** Whether the number of a built-in format is that of dates or times. */
const isXlsxDateNumber = (number: number) =>
  (number >= 14 && number <= 22) || (number >= 27 && number <= 36) || (number >= 45 && number <= 58);

async function readXlsxDateStyles(file: SourceFile | undefined): Promise<(style: number) => boolean> {
  const formats = new Map<number, boolean>();
  const styles: boolean[] = [];
  let isInCells = false;
  await readWholeXlsxXml(file, {
    open(tag, { numFmtId, formatCode = '' }) {
      const number = Number(numFmtId);
      if (tag === 'numFmt') formats.set(number, isXlsxDateFormat(formatCode.slice(0, 200)));
      else if (tag === 'cellXfs') isInCells = true;
      else if (tag === 'xf' && isInCells) styles.push(formats.get(number) ?? isXlsxDateNumber(number));
    },
    close(tag) {
      if (tag === 'cellXfs') isInCells = false;
    },
  });
  return (style) => styles[style] === true;
}

/** Whether a format has a part of a date or time outside texts, colours and conditions. */
function isXlsxDateFormat(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\\.|_.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return !/^general$/i.test(bare) && /[ymdhs]/i.test(bare);
}

interface Sheet {
  readonly texts: readonly string[];
  isDate(style: number): boolean;
  /** Days from the first day of usual workbooks to that of this one. */
  readonly daysBefore: number;
}

interface OpenRow {
  readonly index: number;
  /** Cells by column: in a map, as hostile rows have one cell far to the right. */
  readonly cells: Map<number, string>;
}

async function* readXlsxSheetRows(file: SourceFile, sheet: Sheet): AsyncGenerator<SheetRow> {
  let rows: OpenRow[] = [];
  let row: OpenRow = { index: -1, cells: new Map() };
  let cell = { type: '', style: 0, text: '' };
  let column = -1;
  let isText = false;
  let isPhonetic = false;
  const handler: XmlHandler = {
    open(tag, attributes) {
      if (tag === 'row') {
        const index = /^\d{1,7}$/.test(attributes.r ?? '') ? Number(attributes.r) - 1 : row.index + 1;
        row = { index, cells: new Map() };
        column = -1;
      } else if (tag === 'c') {
        column = attributes.r === undefined ? column + 1 : readXlsxColumn(attributes.r);
        if (column >= MAX_COLUMNS) throw new Error(`a row has more than ${MAX_COLUMNS} columns`);
        cell = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), text: '' };
      } else if (tag === 'rPh') isPhonetic = true;
      isText = (tag === 'v' || tag === 't') && !isPhonetic;
    },
    text(part) {
      if (isText) cell.text += part;
    },
    close(tag) {
      isText = false;
      if (tag === 'rPh') isPhonetic = false;
      else if (tag === 'row') rows.push(row);
      else if (tag === 'c' && cell.text !== '') row.cells.set(column, readXlsxCell(cell, sheet));
    },
  };
  for await (const _ of readXlsxXml(file, handler)) {
    for (const { index, cells } of rows)
      yield { index, cells: Array.from({ length: Math.max(-1, ...cells.keys()) + 1 }, (_, at) => cells.get(at) ?? '') };
    rows = [];
  }
}

/** The number of a column from 0, from a reference such as `AB12`. */
function readXlsxColumn(reference: string): number {
  const [letters = ''] = /^[A-Z]{1,3}(?=\d)/i.exec(reference) ?? [];
  if (letters === '') throw new Error(`there is no cell ${reference.slice(0, 20)}`);
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function readXlsxCell({ type, style, text }: { type: string; style: number; text: string }, sheet: Sheet): string {
  if (type === 's') return sheet.texts[Number(text)] ?? '';
  if (type === 'str' || type === 'inlineStr') return unescapeXlsxText(text.slice(0, MAX_CHARACTERS));
  if (type === 'b') return text.trim() === '1' ? 'true' : 'false';
  if (type !== 'n' || !Number.isFinite(Number(text))) return text;
  const number = Number(text);
  return sheet.isDate(style) ? showXlsxDate(number, sheet.daysBefore) : String(number);
}

const DAY_MS = 24 * 60 * 60_000;
const DAYS_TO_1904 = 1_462;

/** Writes a day as `2026-11-28`, a time as `1:30`. @param days since the last day of 1899 */
function showXlsxDate(days: number, daysBefore = 0): string {
  const minutes = Math.round(days * 24 * 60);
  if (minutes >= 0 && days < 100) return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  // Excel takes 1900 for a leap year: days after its February count one too many.
  const day = new Date(Date.UTC(1899, 11, 30) + Math.floor(days + daysBefore) * DAY_MS);
  return Number.isNaN(day.getTime()) ? String(days) : day.toISOString().slice(0, 10);
}

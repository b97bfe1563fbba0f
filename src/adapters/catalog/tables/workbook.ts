import { type Handler, Parser } from 'htmlparser2';
import { createSourceFileError, type SourceFile } from '../files/source-file.ts';
import { readHeader } from './columns.ts';
import { type DelimitedOptions, findHeaderRow, toRowFields } from './delimited-table.ts';
import { MAX_ROW_BYTES, type SourceRow, type Table } from './row-reader.ts';

interface WorkbookOptions extends DelimitedOptions {
  readonly kind: 'xlsx' | 'ods';
  readonly sheet?: string | undefined;
  /** The files in the workbook. */
  readonly entries: readonly SourceFile[];
}

interface SheetRow {
  /** Number, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** Cells that repeat fill a sheet to its end. */
const MAX_COLUMNS = 1_000;
const MAX_ROWS_BEFORE_HEADER = 50;
/** Of the texts that cells share, and of one sheet, unpacked. */
const MAX_SHARED_CHARS = 64 * 1024 * 1024;
const MAX_SHEET_BYTES = 1024 ** 3;

/** Opens a sheet of a workbook as a table, row by row: the first one, or the one of this name.
 *  Sources: ECMA-376 part 1 (`.xlsx`), OpenDocument 1.3 part 3 (`.ods`).
 *  Errors: IMPORT_INVALID where the sheet or required columns are missing. */
export async function openWorkbookTable(file: SourceFile, options: WorkbookOptions): Promise<Table> {
  const { kind } = options;
  const read = kind === 'xlsx' ? await openXlsx(file, options) : openOds(file, options);
  const rows: SheetRow[] = [];
  const signal = new AbortController().signal;
  for await (const row of read(signal)) if (rows.push(row) >= MAX_ROWS_BEFORE_HEADER) break;
  if (rows.length === 0)
    throw createSourceFileError(file.name, 'has no cells in this sheet. Name another with --sheet.');
  const at = findHeaderRow(
    rows.map(({ cells }) => cells),
    options,
  );
  const { number: headerRow = 1, cells = [] } = rows[at] ?? {};
  const header = readHeader(file.name, trimEnd(cells), options.columns);
  const { name, sizeBytes, assertUnchanged } = file;
  return {
    ...{ name, sizeBytes, assertUnchanged },
    notes: header.notes.map((note) => ({ place: name, ...note })),
    async *read(abort): AsyncGenerator<SourceRow> {
      // How much of the packed file a row takes is not known: nearly all of it at the end.
      for await (const row of read(abort)) {
        if (row.number <= headerRow || row.cells.every((cell) => cell.trim() === '')) continue;
        yield { line: row.number, endBytes: sizeBytes, ...toRowFields(row.cells, header) };
      }
    },
  };
}

function trimEnd(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
}

type ReadSheet = (signal: AbortSignal) => AsyncGenerator<SheetRow>;

interface Elements {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Reads an XML file of the workbook as it is unpacked; what the elements give is yielded after
 *  each piece. */
async function* readElements<T>(
  { name, open }: SourceFile,
  elements: Elements,
  take: () => readonly T[],
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const local = (full: string) => full.slice(full.indexOf(':') + 1);
  const handler: Partial<Handler> = {
    onopentag: (full, attributes) => elements.open?.(local(full), attributes),
    ontext: (text) => elements.text?.(text),
    onclosetag: (full) => elements.close?.(local(full)),
  };
  const parser = new Parser(handler, { xmlMode: true, decodeEntities: true });
  const decoder = new TextDecoder();
  const stream = await open();
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      if (bytes > MAX_SHEET_BYTES)
        throw createSourceFileError(name, 'is larger than 1 GB when unpacked. Divide it.');
      parser.write(decoder.decode(chunk, { stream: true }));
      yield* take();
    }
    parser.end();
    yield* take();
  } finally {
    stream.destroy();
  }
}

async function collect(file: SourceFile | undefined, elements: Elements): Promise<void> {
  if (file !== undefined) for await (const _ of readElements(file, elements, () => [])) void _;
}

async function openXlsx(file: SourceFile, { entries, sheet }: WorkbookOptions): Promise<ReadSheet> {
  const entryAt = (path: string) => entries.find((entry) => entry.path.toLowerCase() === path.toLowerCase());
  const sheets: { name: string; id: string; isHidden: boolean }[] = [];
  await collect(entryAt('xl/workbook.xml'), {
    open(name, { name: title = '', 'r:id': id = '', state }) {
      if (name === 'sheet')
        sheets.push({ name: title, id, isHidden: state !== undefined && state !== 'visible' });
    },
  });
  const chosen = chooseSheet(file.name, sheets, sheet);
  const targets = new Map<string, string>();
  await collect(entryAt('xl/_rels/workbook.xml.rels'), {
    open(name, { Id = '', Target = '' }) {
      if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  const entry = entryAt(targets.get(chosen?.id ?? '') ?? 'xl/worksheets/sheet1.xml');
  if (entry === undefined)
    throw createSourceFileError(
      file.name,
      'is an Excel workbook without a sheet that can be read. Save the sheet as CSV UTF-8.',
    );
  const [shared, times] = [
    await readSharedTexts(file, entryAt('xl/sharedStrings.xml')),
    await readTimeStyles(entryAt('xl/styles.xml')),
  ];
  return (signal) => readXlsxRows(entry, { shared, times }, signal);
}

function chooseSheet<T extends { readonly name: string; readonly isHidden: boolean }>(
  file: string,
  sheets: readonly T[],
  wanted: string | undefined,
): T | undefined {
  if (wanted === undefined) return sheets.find(({ isHidden }) => !isHidden) ?? sheets[0];
  const isWanted = ({ name }: T) => name.trim().toLowerCase() === wanted.trim().toLowerCase();
  const chosen = sheets.find(isWanted);
  if (chosen !== undefined) return chosen;
  throw createSourceFileError(
    file,
    `has no sheet "${wanted}". Its sheets: ${sheets.map(({ name }) => name).join(', ')}.`,
  );
}

async function readSharedTexts(file: SourceFile, entry: SourceFile | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  let [text, isText, isPhonetic, chars] = ['', false, false, 0];
  await collect(entry, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    text(part) {
      if (isText) text += part;
    },
    close(name) {
      isText = false;
      if (name === 'rPh') isPhonetic = false;
      if (name !== 'si') return;
      chars += text.length;
      if (chars > MAX_SHARED_CHARS)
        throw createSourceFileError(file.name, 'has more than 64 MB of text. Save the sheet as CSV UTF-8.');
      texts.push(text);
    },
  });
  return texts;
}

/** Numbers of the styles that show a number as a time of hours and minutes. */
async function readTimeStyles(entry: SourceFile | undefined): Promise<ReadonlySet<number>> {
  const formats = new Map<string, string>();
  const times = new Set<number>();
  let [isStyles, number] = [false, 0];
  await collect(entry, {
    open(name, { numFmtId = '', formatCode = '' }) {
      if (name === 'numFmt') formats.set(numFmtId, formatCode);
      if (name === 'cellXfs') isStyles = true;
      if (name !== 'xf' || !isStyles) return;
      const code = formats.get(numFmtId)?.toLowerCase() ?? '';
      const isTime =
        /^(?:18|19|20|21|45|46|47)$/.test(numFmtId) || (/h.*m|m.*s/.test(code) && !/[dy]/.test(code));
      if (isTime) times.add(number);
      number++;
    },
    close(name) {
      if (name === 'cellXfs') isStyles = false;
    },
  });
  return times;
}

interface XlsxContext {
  readonly shared: readonly string[];
  readonly times: ReadonlySet<number>;
}

function readXlsxRows(
  entry: SourceFile,
  context: XlsxContext,
  signal: AbortSignal,
): AsyncGenerator<SheetRow> {
  let done: SheetRow[] = [];
  let [number, cells, chars]: [number, string[], number] = [0, [], 0];
  let [at, type, style, text, isText] = [0, '', '', '', false];
  const elements: Elements = {
    open(name, { r, t = '', s = '' }) {
      if (name === 'row') [number, cells, chars] = [Number(r ?? number + 1), [], 0];
      if (name === 'c') [at, type, style, text] = [r === undefined ? cells.length : columnOf(r), t, s, ''];
      isText = name === 'v' || name === 't';
    },
    text(part) {
      if (isText && chars < MAX_ROW_BYTES) text += part;
    },
    close(name) {
      isText = false;
      if (name === 'c' && at < MAX_COLUMNS) {
        while (cells.length < at) cells.push('');
        cells[at] = showXlsxCell({ type, style, text }, context);
        chars += text.length;
      }
      if (name === 'row') done.push({ number, cells });
    },
  };
  const take = () => {
    const rows = done;
    done = [];
    return rows;
  };
  return readElements(entry, elements, take, signal);
}

/** @example columnOf('AB12') // 27 */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? 'A';
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function showXlsxCell(
  { type, style, text }: { readonly type: string; readonly style: string; readonly text: string },
  { shared, times }: XlsxContext,
): string {
  if (type === 's') return shared[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'true' : 'false';
  if (type === 'e') return '';
  if (type === 'str' || type === 'inlineStr' || text === '') return text.replace(/_x000D_/g, '');
  return times.has(Number(style)) && Number(text) < 100 ? showHours(Number(text)) : String(Number(text));
}

/** A time as spreadsheets store it, as a part of a day: `1:30`. */
function showHours(days: number): string {
  const minutes = Math.round(days * 24 * 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

function openOds(file: SourceFile, { entries, sheet }: WorkbookOptions): ReadSheet {
  const entry = entries.find(({ path }) => path === 'content.xml');
  if (entry === undefined) throw createSourceFileError(file.name, 'has no content. Save it as CSV UTF-8.');
  return (signal) => readOdsRows(entry, { file, sheet, signal });
}

function readOdsRows(
  entry: SourceFile,
  {
    file,
    sheet,
    signal,
  }: { readonly file: SourceFile; readonly sheet: string | undefined; readonly signal: AbortSignal },
): AsyncGenerator<SheetRow> {
  let done: SheetRow[] = [];
  let [number, cells, repeats, rowRepeats]: [number, string[], number, number] = [0, [], 1, 1];
  let [text, isCell, isNote, isRead, isOver]: [string, boolean, boolean, boolean, boolean] = [
    '',
    false,
    false,
    false,
    false,
  ];
  const names: string[] = [];
  const elements: Elements = {
    open(name, attributes) {
      if (name === 'table') {
        names.push(attributes['table:name'] ?? '');
        const isWanted =
          sheet === undefined
            ? names.length === 1
            : names.at(-1)?.toLowerCase() === sheet.trim().toLowerCase();
        isRead = isWanted && !isOver;
      }
      if (!isRead) return;
      if (name === 'table-row')
        [cells, rowRepeats] = [[], Number(attributes['table:number-rows-repeated'] ?? 1)];
      if (name === 'annotation') isNote = true;
      if (name === 's' && isCell) text += ' ';
      if (name === 'p' && isCell && !isNote && text !== '') text += '\n';
      if (name !== 'table-cell' && name !== 'covered-table-cell') return;
      [text, isCell, repeats] = ['', true, Number(attributes['table:number-columns-repeated'] ?? 1)];
      const value = attributes['office:value'];
      // What is shown of a number may be rounded, and has the signs of a country.
      if (attributes['office:value-type'] === 'float' && value !== undefined) [text, isCell] = [value, false];
      if (attributes['office:value-type'] === 'boolean')
        [text, isCell] = [attributes['office:boolean-value'] ?? '', false];
      const time = /^PT(\d+)H(\d+)M/.exec(attributes['office:time-value'] ?? '');
      if (time !== null) [text, isCell] = [`${Number(time[1])}:${time[2]}`, false];
    },
    text(part) {
      if (isRead && isCell && !isNote && text.length < MAX_ROW_BYTES) text += part;
    },
    close(name) {
      if (name === 'annotation') isNote = false;
      if (name === 'table' && isRead) [isRead, isOver] = [false, true];
      if (!isRead) return;
      if (name === 'table-cell' || name === 'covered-table-cell') {
        for (let each = 0; each < repeats && cells.length < MAX_COLUMNS; each++) cells.push(text);
        isCell = false;
      }
      if (name !== 'table-row') return;
      if (cells.some((cell) => cell !== ''))
        for (let each = 0; each < Math.min(rowRepeats, 1_000); each++)
          done.push({ number: number + each + 1, cells });
      number += rowRepeats;
    },
  };
  const take = () => {
    const rows = done;
    done = [];
    return rows;
  };
  return (async function* () {
    yield* readElements(entry, elements, take, signal);
    if (sheet !== undefined && !isOver)
      throw createSourceFileError(file.name, `has no sheet "${sheet}". Its sheets: ${names.join(', ')}.`);
  })();
}

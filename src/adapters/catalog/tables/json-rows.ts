import { text as readAllText } from 'node:stream/consumers';
import { StringDecoder } from 'node:string_decoder';
import { parseJson } from '#domain/text';
import { refuseDocumentKind } from '../files/file-kinds.ts';
import { createSourceFileError, readSourceText, type SourceFile } from '../files/source-file.ts';
import type { ColumnSpec } from './columns.ts';
import { createJsonColumnReader, isHeader, listUnreadNames, noteUnread } from './columns.ts';
import { MAX_ROW_BYTES, type SourceRow, type Table } from './row-reader.ts';

interface Piece {
  /** First line, from 1. */
  readonly line: number;
  readonly endBytes: number;
  readonly text: string;
}

const NO_OBJECT = 'is not an object: write {"name": value, …}';
/** Limit of a document that is not a list, which is read as a whole. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** How many lists of a document, the longest first, may be its rows. */
const MAX_LISTS = 100;
/** Maximum number of names of an object: more are data, not columns. */
const MAX_NAMES = 5_000;

/** Opens a list or lines of objects, or a document with a list in it. Errors: IMPORT_INVALID. */
export async function openJsonTable(file: SourceFile, head: string, columns: ColumnSpec): Promise<Table> {
  const [first = ''] = head
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split('\n', 1);
  const isList = first.startsWith('[');
  const isLines =
    !isList &&
    (parseJsonRow(first).problem === null || (/\.(?:jsonl|ndjson)$/i.test(file.name) && first.trim().length > 1));
  const rows = isList || isLines ? null : await readJsonDocument(file, columns);
  const readPieces = (signal: AbortSignal): AsyncIterable<Piece> =>
    isLines ? readJsonRowLines(file, signal) : readJsonObjects(file, isList ? 1 : 0, signal);
  const toRow = createJsonColumnReader(columns);
  const firstRow = rows === null ? await readFirstJsonRow(readPieces(new AbortController().signal)) : rows[0];
  const unread = listUnreadNames(firstRow ?? {}, columns);
  return {
    file,
    notes: unread.length === 0 ? [] : [noteUnread(unread, columns)],
    async *read(signal): AsyncGenerator<SourceRow> {
      if (rows !== null)
        for (const row of rows) {
          const problem = isJsonObject(row) ? null : NO_OBJECT;
          yield { line: 1, endBytes: file.sizeBytes, fields: isJsonObject(row) ? toRow(row) : {}, problem };
        }
      else
        for await (const { line, endBytes, text } of readPieces(signal)) {
          const { fields, problem } = parseJsonRow(text);
          yield { line, endBytes, fields: toRow(fields), problem };
        }
    },
  };
}

async function readFirstJsonRow(pieces: AsyncIterable<Piece>): Promise<SourceRow['fields'] | undefined> {
  for await (const { text } of pieces) return parseJsonRow(text).fields;
  return undefined;
}

/** Finds the rows of a document. Null for a large file, or one that is not a single object. */
async function readJsonDocument(file: SourceFile, columns: ColumnSpec): Promise<SourceRow['fields'][] | null> {
  if (file.sizeBytes > MAX_DOCUMENT_BYTES) return null;
  const content = await readAllText(readSourceText(file, new AbortController().signal));
  const fields = parseJson(content.replace(/^\uFEFF/, ''));
  if (!isJsonObject(fields)) return null;
  refuseDocumentKind(file.name, Object.keys(fields));
  const isRows = (value: unknown): value is SourceRow['fields'][] => Array.isArray(value) && value.some(isJsonObject);
  const lists = Object.values(fields)
    .filter(isRows)
    .toSorted((a, b) => b.length - a.length);
  const isRow = (value: unknown) => isJsonObject(value) && isHeader(Object.keys(value).slice(0, MAX_NAMES), columns);
  const list = lists.slice(0, MAX_LISTS).find(([first]) => isRow(first));
  if (list !== undefined) return list;
  if (isRow(fields)) return [fields];
  if (lists[0] !== undefined) return lists[0];
  throw createSourceFileError(
    file.name,
    'is a single JSON document, not a list of rows. Write one object a line (JSON Lines), or one array of objects.',
  );
}

const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function* readJsonRowLines(file: SourceFile, signal: AbortSignal): AsyncGenerator<Piece> {
  const decoder = new StringDecoder('utf8');
  let line = 0;
  let endBytes = 0;
  let unfinished = '';
  const takePieces = function* (lines: readonly string[]): Generator<Piece> {
    for (const each of lines) {
      line += 1;
      endBytes = Math.min(endBytes + Buffer.byteLength(each) + 1, file.sizeBytes);
      const text = each.replace(/^\uFEFF/, '').trim();
      if (text !== '') yield { line, endBytes, text };
    }
  };
  for await (const chunk of readSourceText(file, signal)) {
    const lines = (unfinished + decoder.write(chunk)).split('\n');
    unfinished = lines.pop() ?? '';
    if (unfinished.length > MAX_ROW_BYTES)
      throw createSourceFileError(file.name, 'has a line of more than 4 MB. Write one JSON object a line.');
    yield* takePieces(lines);
  }
  if (unfinished !== '') yield* takePieces([unfinished]);
}

/** Characters without a meaning in JSON, or a single one that may have a meaning. */
const RUN = /[^"\\{}[\],\s\uFEFF]+|[\s\S]/g;

/** Reads values, however they are broken into lines. @param base their depth: 1 in an array */
async function* readJsonObjects(file: SourceFile, base: 0 | 1, signal: AbortSignal): AsyncGenerator<Piece> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let depth = 0;
  let line = 1;
  let firstLine = 1;
  let readBytes = 0;
  let isString = false;
  let isEscaped = false;
  let complete: Piece[] = [];
  const endRow = () => {
    if (text.trim() !== '') complete.push({ line: firstLine, endBytes: Math.min(readBytes, file.sizeBytes), text });
    text = '';
  };
  const add = (sign: string) => {
    if (text === '') firstLine = line;
    text += sign;
  };
  const readSign = (sign: string) => {
    if (sign === '\n') line += 1;
    if (isString) {
      add(sign);
      if (isEscaped) isEscaped = false;
      else if (sign === '\\') isEscaped = true;
      else if (sign === '"') isString = false;
      return;
    }
    if (sign === '"') isString = true;
    if (sign === '}' || sign === ']') depth -= 1;
    const isFrame = base === 1 && depth === 0 && (sign === '[' || sign === ']');
    const isBetween = depth === base && (sign === ',' || /[\s\uFEFF]/.test(sign)) && text.trim() === '';
    if (depth === base && sign === ',') endRow();
    else if (!isFrame && !isBetween) add(sign);
    if (sign === '{' || sign === '[') depth += 1;
    if (isFrame || (depth === base && sign === '}')) endRow();
  };
  for await (const chunk of readSourceText(file, signal)) {
    for (const [run] of decoder.write(chunk).matchAll(RUN)) readSign(run);
    readBytes += chunk.length;
    if (text.length > MAX_ROW_BYTES)
      throw createSourceFileError(
        file.name,
        `has an object from line ${firstLine} on of more than 4 MB, or with a quote or bracket that is not closed. Close it.`,
      );
    yield* complete;
    complete = [];
  }
  endRow();
  yield* complete;
}

function parseJsonRow(json: string): Pick<SourceRow, 'fields' | 'problem'> {
  try {
    const value: unknown = JSON.parse(json);
    if (!isJsonObject(value)) return { fields: {}, problem: NO_OBJECT };
    if (Object.keys(value).length <= MAX_NAMES) return { fields: value, problem: null };
    return { fields: {}, problem: `has more than ${MAX_NAMES} names: write the names of columns only` };
  } catch (error) {
    return { fields: {}, problem: `is not JSON: ${(error as Error).message}` };
  }
}

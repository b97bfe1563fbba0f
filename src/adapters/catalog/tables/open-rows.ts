import { StringDecoder } from 'node:string_decoder';
import { AppError } from '#errors';
import { createSourceFileError, readSourceText, type SourceFile } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { ColumnSpec } from './columns.ts';
import { openDelimitedTable } from './delimited-table.ts';
import { MAX_ROW_BYTES, type SourceRow, type Table } from './row-reader.ts';

/** How to read one file of rows that an administrator wrote. */
export interface RowsOptions {
  readonly dataset: string;
  /** For people: the name of the file. */
  readonly title: string;
  /** Two-letter codes. */
  readonly langs: readonly string[];
  /** Name as it was given, where one was. */
  readonly name?: string;
  /** Id or name of a provider, for rows without one. */
  readonly provider?: string;
}

/** Opens the one file of a source as a table: JSON Lines by its name or its first character, else
 *  columns. */
export async function openRows({ files }: SourceFiles, columns: ColumnSpec): Promise<Table> {
  const readable = files.filter(({ name }) => /\.(?:csv|tsv|txt|jsonl|ndjson|json)$/i.test(name));
  const [file, ...others] = files.length === 1 ? files : readable;
  if (file === undefined || others.length > 0)
    throw new AppError(
      'IMPORT_INVALID',
      'Name one file, ending in .csv or .jsonl, or a ZIP file with one in it.',
    );
  return (await isJsonLines(file))
    ? openJsonTable(file)
    : openDelimitedTable(file, { columns: { ...columns, isChecked: true } });
}

async function isJsonLines(file: SourceFile): Promise<boolean> {
  if (/\.(?:csv|tsv)$/i.test(file.name)) return false;
  const sign = await firstSign(file);
  if (sign === '[')
    throw createSourceFileError(
      file.name,
      "holds one JSON array. Write one object a line (JSON Lines), not one array: jq -c '.[]' OLD > NEW",
    );
  return sign === '{' || /\.(?:jsonl|ndjson)$/i.test(file.name);
}

/** The first sign of a file that is not blank; empty where there is none near its beginning. */
async function firstSign(file: SourceFile): Promise<string> {
  const stream = await file.open();
  try {
    for await (const chunk of stream)
      return String(chunk)
        .replace(/^\uFEFF/, '')
        .trimStart()
        .slice(0, 1);
    return '';
  } finally {
    stream.destroy();
  }
}

/** The lines of a JSON Lines file; empty ones are left out. */
function openJsonTable(file: SourceFile): Table {
  const { name, sizeBytes, assertUnchanged } = file;
  return { name, sizeBytes, assertUnchanged, read: (signal) => readRows(file, signal) };
}

async function* readRows(file: SourceFile, signal: AbortSignal): AsyncIterable<SourceRow> {
  let line = 0;
  let endBytes = 0;
  for await (const text of readLines(file, signal)) {
    line += 1;
    endBytes = Math.min(endBytes + Buffer.byteLength(text) + 1, file.sizeBytes);
    const json = text.replace(/^\uFEFF/, '').trim();
    if (json !== '') yield { line, endBytes, ...parse(json) };
  }
}

async function* readLines(file: SourceFile, signal: AbortSignal): AsyncIterable<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of readSourceText(file, signal)) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_ROW_BYTES)
      throw createSourceFileError(file.name, 'has a line of more than 4 MB. Write one JSON object a line.');
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function parse(json: string): Pick<SourceRow, 'fields' | 'problem'> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { fields: value as Record<string, unknown>, problem: null };
    return { fields: {}, problem: 'is not an object: write {"name": value, …}' };
  } catch (error) {
    return { fields: {}, problem: `is not JSON: ${(error as Error).message}` };
  }
}

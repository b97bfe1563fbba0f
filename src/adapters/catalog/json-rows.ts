import { StringDecoder } from 'node:string_decoder';
import type { SourceFile } from './source-files.ts';
import { invalidFile, MAX_ROW_BYTES, type SourceRow, type Table } from './table.ts';
import { readUtf8 } from './utf8-chunks.ts';

/** The lines of a JSON Lines file; empty ones are left out. */
export function openJsonTable(file: SourceFile): Table {
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
  for await (const chunk of readUtf8(file.name, await file.open(), signal)) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_ROW_BYTES)
      throw invalidFile(file.name, 'has a line of more than 4 MB. Write one JSON object a line.');
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

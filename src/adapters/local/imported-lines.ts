import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ImportedCatalog, ImportedRecord } from '../../ports/imports.ts';

/** A line of the file that stands between the store and whoever builds the index: first the dead addresses, then the
 *  records in the order in which they are given. */
export type ImportedLine = { readonly dead: string } | ImportedRecord;

const WRITE_CHARS = 256 * 1024;
const READ_BYTES = 1024 * 1024;

/** Write down everything that was imported. Requests are answered in between.
 *  Errors: those of the store and of writing; the signal's reason. */
export async function writeImportedLines(
  path: string,
  imported: ImportedCatalog,
  signal: AbortSignal,
): Promise<void> {
  const file = await open(path, 'w');
  try {
    let text = '';
    for await (const line of linesOf(imported)) {
      text += `${JSON.stringify(line)}\n`;
      if (text.length < WRITE_CHARS) continue;
      await file.writeFile(text);
      text = '';
      signal.throwIfAborted();
    }
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

async function* linesOf(imported: ImportedCatalog): AsyncIterable<ImportedLine> {
  for await (const dead of imported.readDeadLinks()) yield { dead };
  yield* imported.read();
}

/** The lines of such a file, in order, a piece of it in memory at a time. */
export function* readImportedLines(path: string): Iterable<ImportedLine> {
  const file = openSync(path, 'r');
  try {
    const block = Buffer.allocUnsafe(READ_BYTES);
    let rest = Buffer.alloc(0);
    for (;;) {
      const read = readSync(file, block);
      if (read === 0) return;
      const text = Buffer.concat([rest, block.subarray(0, read)]);
      let start = 0;
      for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, start)) {
        yield JSON.parse(text.toString('utf8', start, end)) as ImportedLine;
        start = end + 1;
      }
      rest = text.subarray(start);
    }
  } finally {
    closeSync(file);
  }
}

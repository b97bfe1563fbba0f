import { createSourceFileError, type SourceFile } from '../files/source-file.ts';
import { MAX_COLUMNS } from './columns.ts';

const MAX_CELLS = 5_000_000;

/** Tags of rows and cells; an attribute may contain `>`. */
const TAG = /<(\/?)(?:[\w.-]+:)?(table-row|table-cell|covered-table-cell)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/g;

/** Refuses an OpenDocument sheet whose repeated cells would fill the memory: a few kilobytes can
 *  stand for billions of cells, and V8 ends the process for an array of that length.
 *  Errors: IMPORT_INVALID.
 *  @param content the file `content.xml`, held in memory */
export async function refuseHugeSheet({ name }: SourceFile, content: SourceFile): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await content.open()) as AsyncIterable<Buffer>) chunks.push(chunk);
  let row = { times: 1, columns: 0, filled: 0 };
  let cells = 0;
  for (const [, closing, tag, attributes = ''] of Buffer.concat(chunks).toString('latin1').matchAll(TAG)) {
    if (tag === 'table-row') {
      cells += row.times * row.filled;
      row = { times: closing ? 1 : readTimes(attributes, 'rows'), columns: 0, filled: 0 };
    } else if (!closing) {
      row.columns += readTimes(attributes, 'columns');
      // The empty rest of a row is repeated without an end and read as nothing.
      if (tag === 'covered-table-cell' || !attributes.endsWith('/') || attributes.includes('value'))
        row.filled = row.columns;
    }
    if (row.filled > MAX_COLUMNS || cells + row.times * row.filled > MAX_CELLS)
      throw createSourceFileError(
        name,
        `repeats cells so often that a row has more than ${MAX_COLUMNS} or the sheets more than ${MAX_CELLS} of them. Save the sheet as CSV UTF-8.`,
      );
  }
}

function readTimes(attributes: string, what: 'rows' | 'columns'): number {
  const [, times] = new RegExp(`number-${what}-repeated\\s*=\\s*["']\\s*\\+?(\\d+)`).exec(attributes) ?? [];
  return times === undefined ? 1 : Number(times);
}

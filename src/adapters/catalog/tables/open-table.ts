import { findWorkbookKind, refuseKind, refusePackage } from '../files/file-kinds.ts';
import { createSourceFileError, readHead, type SourceFile } from '../files/source-file.ts';
import { listZip } from '../files/zip-files.ts';
import { type DelimitedOptions, openDelimitedTable } from './delimited-table.ts';
import { refuseHugeSheet } from './ods-cells.ts';
import type { Table } from './row-reader.ts';
import { openWorkbookTable } from './workbook.ts';

interface TableOptions extends DelimitedOptions {
  /** Name of the sheet of a workbook; the first when absent. */
  readonly sheet?: string | undefined;
}

/** A workbook is held in memory as it is packed. */
const MAX_WORKBOOK_BYTES = 64 * 1024 * 1024;
/** Parts such as the list of texts are held in memory unpacked. */
const MAX_PART_BYTES = 128 * 1024 * 1024;

/** Opens a file of rows and columns with a header: text with delimiters, or a workbook (`.xlsx`,
 *  `.ods`).
 *  Errors: IMPORT_INVALID for any other kind of file, and where required columns are missing. */
export async function openTable(file: SourceFile, options: TableOptions): Promise<Table> {
  const head = (await readHead(file)).toString('latin1');
  if (!head.startsWith('PK\u0003\u0004')) {
    refuseKind(file.name, head);
    return openDelimitedTable(file, options);
  }
  const bytes = await readWhole(file);
  const entries = await listZip(bytes, file, MAX_PART_BYTES);
  const paths = entries.map(({ path }) => path);
  refusePackage(file.name, paths);
  const kind = findWorkbookKind(paths);
  if (kind === null) throw createSourceFileError(file.name, 'is a ZIP file within another. Unpack it first.');
  const content = entries.find(({ path }) => path === 'content.xml');
  if (kind === 'ods' && content !== undefined) await refuseHugeSheet(file, content);
  return openWorkbookTable(file, { ...options, kind, bytes, entries });
}

async function readWhole(file: SourceFile): Promise<Buffer> {
  if (file.sizeBytes > MAX_WORKBOOK_BYTES)
    throw createSourceFileError(file.name, 'is larger than 64 MB. Save the sheet as CSV UTF-8.');
  const chunks: Buffer[] = [];
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

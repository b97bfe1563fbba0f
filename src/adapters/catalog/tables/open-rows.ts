import { AppError } from '../../../errors.ts';
import type { ColumnSpec } from '../columns.ts';
import { openDelimitedTable } from '../delimited-table.ts';
import { openJsonTable } from '../json-rows.ts';
import type { SourceFile, SourceFiles } from '../source-files.ts';
import { invalidFile, type Table } from '../table.ts';

/** What an administrator wrote: one file of rows. */
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

/** The one file of a source as a table: JSON Lines where its name or its first sign says so, else columns.
 *  Errors: IMPORT_INVALID. */
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
    throw invalidFile(
      file.name,
      "holds one JSON array. Write one object a line (JSON Lines), not one array: jq -c '.[]' OLD > NEW",
    );
  return sign === '{' || /\.(?:jsonl|ndjson)$/i.test(file.name);
}

/** Empty where there is none near its beginning. */
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

import type { ImportFormat } from '#domain/catalog';
import type { ImportSource } from '#ports/imports';
import type { ImportReport } from '#services/catalogue/imports/import-records';
import { findReasonForNoRecords } from '#services/catalogue/imports/import-records';
import { print, printTable } from '../print.ts';
import { writeProgressCount } from './progress.ts';

const kinds = ['added', 'changed', 'unchanged', 'removed'] as const;

const conceptFormats: ReadonlySet<ImportFormat> = new Set(['esco', 'onet', 'rome', 'taxonomy', 'crosswalk']);

/** What an import did, or a dry run would do. */
export function printReport(
  report: ImportReport,
  { title, format }: Pick<ImportSource, 'title' | 'format'>,
): void {
  const { counts, isDryRun, record } = report;
  const records = conceptFormats.has(format) ? 'concepts' : 'learning objects and providers';
  print(writeReportHeadline(report, title));
  printTable([
    ...kinds.map((kind) => [kind, writeProgressCount(counts[kind]).padStart(10), records]),
    [
      'rejected',
      writeProgressCount(counts.rejected).padStart(10),
      `of ${writeProgressCount(counts.rows)} rows`,
    ],
  ]);
  if (isDryRun) printSamples(report);
  if (report.isShrinking)
    print('All of the data set would go, or more than half of it: the import needs --allow-removal.');
  if (isDryRun && counts.rejected > 0)
    print('To have the rejected rows in a file, name one with --rejected.');
  if (record !== null && record.state === 'live' && record.isUndoable)
    print(`To take it back: skilldock imports undo ${record.number}`);
}

export function writeReportHeadline(
  { isDryRun, record, counts, resumedFrom }: ImportReport,
  title: string,
): string {
  if (isDryRun) return `${title}: nothing was changed. An import would bring:`;
  const why = record === null ? null : findReasonForNoRecords(record);
  if (why === 'noRows') return `${title}: nothing could be imported: the source has no rows.`;
  if (why === 'allRejected')
    return `${title}: nothing could be imported: ${counts.rows === 1 ? 'its one row was' : `all ${writeProgressCount(counts.rows)} rows were`} rejected. See the file of rejected rows for the reasons.`;
  const goneOn = resumedFrom === null ? '' : ', gone on with where it was broken off';
  if (record?.state === 'unchanged') return `${title}: everything is there as it is in the source${goneOn}.`;
  return `${title} is imported as number ${record?.number} of the data set ${record?.dataset}${goneOn}.`;
}

function printSamples({ changes }: ImportReport): void {
  for (const kind of ['added', 'changed', 'removed'] as const) {
    const keys = changes.filter(({ fate }) => fate === kind).map(({ key }) => key);
    if (keys.length === 0) continue;
    print(`First ${kind}:`);
    for (const key of keys) print(`  ${key}`);
  }
}

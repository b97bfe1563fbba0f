import { expect, test } from 'vitest';
import { writeImportHeadline } from '../../src/commands/import/run-import.ts';
import { systemActor } from '../../src/domain/admin.ts';
import type { ImportCounts } from '../../src/domain/catalog.ts';
import { makeImportRecord, noCounts } from '../../src/services/catalogue/imports/import-records.ts';
import { sourceOf } from '../services/catalogue/imports/import-samples.ts';

const headlineOf = (given: Partial<ImportCounts>) => {
  const counts = { ...noCounts, ...given };
  const begun = makeImportRecord(systemActor, { source: sourceOf([]), now: new Date() });
  const record = { ...begun, number: 1, state: 'unchanged' as const, counts };
  return writeImportHeadline(
    { record, counts, changes: [], report: null, isDryRun: false, resumedFrom: null, isShrinking: false },
    'a.csv',
  );
};

test('an import without records gives the reason', () => {
  expect(headlineOf({})).toBe('a.csv: nothing could be imported: the source has no rows.');
  expect(headlineOf({ rows: 1_200, rejected: 1_200 })).toMatch(/nothing could be imported: all 1,200 rows/);
  expect(headlineOf({ rows: 3, rejected: 1, unchanged: 2 })).toMatch(/everything is there/);
});

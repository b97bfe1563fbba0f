import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { LearningObjectRecord } from '../../../src/adapters/catalog/catalog-schema.ts';
import { readStarterCatalog } from '../../../src/adapters/local/starter-catalog.ts';
import { type OpenedService, openService, type ServiceChanges } from './services.ts';

/** The service over the real starter data, one for a whole file of tests; by words alone unless an encoder is given. */
export function openStarterService(changes: ServiceChanges = {}): OpenedService {
  const dataDir = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
  afterAll(() => rmSync(dataDir, { recursive: true }));
  return openService('data', dataDir, changes);
}

/** The records of the starter data by address. */
export function readStarterRecords(): ReadonlyMap<string, LearningObjectRecord> {
  return new Map(readStarterCatalog('data').objects.map((record) => [record.url, record]));
}

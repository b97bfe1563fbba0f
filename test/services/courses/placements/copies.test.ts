import { afterAll, describe, expect, test } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { tenant } from '../../../contract/store/records.ts';
import { isFullRun, propertyRuns } from '../../../helpers/draw.ts';
import { startMongoServer } from '../../../helpers/mongo-server.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { openTestStore } from '../../../helpers/test-store.ts';
import { manners, simulateCourses } from './simulate-courses.ts';

/** MongoDB takes three times as long, and the contract of both stores is the same. */
const server = isFullRun ? await startMongoServer() : null;
afterAll(() => server?.stop());

/** 1,000 of all manners together in a full run. */
const COURSES = isFullRun ? 200 : 10;

const stores = [
  ['SQLite', () => openTestStore(`${makeTempDir()}/skilldock.db`)],
  ['MongoDB', () => createMongoStore(server!.newUri())],
] as const;

describe.each(stores)('on %s', (name, open) => {
  test.skipIf(name === 'MongoDB' && server === null).each(manners)(
    'courses of a platform in the manner of %s show what their teachers mean',
    async (manner) => {
      const store = await open();
      await store.tenants.addTenant(tenant(DEFAULT_TENANT));
      const { seed } = propertyRuns(1);
      const outcome = await simulateCourses(store.placements, { manner, courses: COURSES, seed });
      await store.close();
      expect(outcome.wrong.slice(0, 5)).toEqual([]);
      expect(outcome.broken).toBe(0);
    },
    300_000,
  );
});

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Store, type StoreTransfer, storeCollections } from '../../../src/ports/store/store.ts';
import { copyStore } from '../../../src/services/host/store-copy.ts';
import { draw } from '../../helpers/draw.ts';
import { FILLED, fillStore } from '../../helpers/fill-store.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { openTestStore } from '../../helpers/test-store.ts';

/** Filled once; each test has a copy of the file. */
const folder = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
const filledFile = join(folder, 'skilldock.db');
beforeAll(async () => {
  const filled = openTestStore(filledFile);
  await fillStore(filled);
  await filled.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

let source: Store;
let target: Store;
beforeEach(() => {
  const sourceFile = join(makeTempDir(), 'skilldock.db');
  copyFileSync(filledFile, sourceFile);
  [source, target] = [open(sourceFile), open()];
});

function open(file = join(makeTempDir(), 'skilldock.db')): Store {
  const store = openTestStore(file);
  onTestFinished(() => store.close());
  return store;
}
const now = new Date('2026-03-01T10:00:00Z');
const copy = (to: StoreTransfer = target.transfer, from: StoreTransfer = source.transfer) =>
  copyStore({ source: from, target: to, now });
const contentOf = async ({ transfer }: Store) =>
  Promise.all(storeCollections.map((collection) => transfer.readRecords(collection, null, 1_000)));

/** What a record differs in from one that was copied. */
const otherRecords = [
  ['tenants', { id: 'other' }],
  ['secrets', { name: 'other' }],
  ['apiKeys', { id: 'other', keyHash: 'f'.repeat(64) }],
  ['feedback', { id: 'other' }],
  ['audit', { id: 'other' }],
  ['admins', { id: 'other', name: 'Other', oidcSubject: null }],
  ['adminLinks', { id: 'other' }],
  ['adminSessions', { id: 'other' }],
  ['usage', { day: '2026-02-01' }],
  ['shelf', { address: 'other' }],
  ['ltiRegistrations', { id: 'other', clientId: 'other' }],
  ['ltiDeployments', { deploymentId: 'other' }],
  ['placements', { id: 'other' }],
  ['ltiLinks', { id: 'other' }],
  ['activity', { userId: 'other' }],
  ['scores', { id: 'other' }],
  ['slackInstallations', { id: 'other' }],
  ['people', { person: 'other' }],
  ['imports', { id: 'other', number: 9 }],
  ['importEntries', { key: 'other' }],
  ['linkChecks', { url: 'other' }],
  ['linkMends', { id: 'other' }],
  ['objectChanges', { address: 'other' }],
] as const;

describe('copying a store', () => {
  test('moves every collection, and says how much with its checksum', async () => {
    const copied = await copy();
    expect(copied.map(({ collection }) => collection)).toEqual(storeCollections);
    for (const { collection, records, written, checksum } of copied) {
      expect({ collection, records }).toEqual({ collection, records: FILLED[collection] });
      expect(written).toBe(records);
      expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  test('done twice writes nothing the second time', async () => {
    const first = await copy();
    const second = await copy();
    expect(second).toEqual(first.map((each) => ({ ...each, written: 0 })));
  });

  test('that was broken off is gone on with, wherever that was', async () => {
    for (const writes of draw([0, 1, 3, 4, 8], 'broken copies', 2)) {
      const store = open();
      let left = writes;
      const breaking: StoreTransfer = {
        ...store.transfer,
        async writeRecords(collection, records) {
          if (left-- === 0) throw new Error('broken off');
          await store.transfer.writeRecords(collection, records.slice(0, 300));
          if (records.length > 300) throw new Error('broken off');
        },
      };
      await copy(breaking).catch(() => undefined);
      const before = (await contentOf(store)).flat().length;
      const written = (await copy(store.transfer)).reduce((sum, each) => sum + each.written, 0);
      expect(before + written).toBe(Object.values(FILLED).reduce((sum, count) => sum + count, 0));
      expect(await contentOf(store)).toEqual(await contentOf(source));
    }
  });

  test('also writes anew what was changed in the source meanwhile', async () => {
    await copy();
    const [tenant] = (await source.transfer.readRecords('tenants', null, 1)) ?? [];
    await source.transfer.writeRecords('tenants', [{ ...tenant!, record: { ...tenant!.record, name: 'Renamed' } }]);
    const copied = await copy();
    expect(copied.map(({ written }) => written)).toEqual(
      storeCollections.map((collection) => (collection === 'tenants' ? 1 : 0)),
    );
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  test.each(draw(otherRecords, 'other records', 4))(
    'into a store that also holds other %s is refused, and writes nothing',
    async (collection, change) => {
      await copy();
      const [like] = await target.transfer.readRecords(collection, null, 1);
      await target.transfer.writeRecords(collection, [{ key: 'other', record: { ...like!.record, ...change } }]);
      const [first] = await source.transfer.readRecords('tenants', null, 1);
      await source.transfer.writeRecords('tenants', [{ ...first!, record: { ...first!.record, name: 'New' } }]);
      const before = await contentOf(target);
      await expect(copy()).rejects.toMatchObject({ code: 'STORE_NOT_EMPTY', kind: 'conflict' });
      expect(await contentOf(target)).toEqual(before);
    },
  );

  test('that comes out different is said so', async () => {
    const forgetful: StoreTransfer = {
      ...target.transfer,
      writeRecords: (collection, records) =>
        target.transfer.writeRecords(collection, collection === 'feedback' ? records.slice(1) : records),
    };
    await expect(copy(forgetful)).rejects.toMatchObject({
      code: 'STORE_COPY_DIFFERS',
      message: expect.stringContaining('feedback'),
    });
    const altering: StoreTransfer = {
      ...target.transfer,
      async readRecords(...args) {
        const records = await target.transfer.readRecords(...args);
        return records.map(({ key, record }) => ({ key, record: { ...record, comment: 'altered' } }));
      },
    };
    await expect(copy(altering)).rejects.toMatchObject({ code: 'STORE_COPY_DIFFERS' });
  });

  test('leaves behind links and sessions that end before it is done', async () => {
    const soon = new Date('2026-03-01T10:09:59Z');
    const session = {
      id: 'f'.repeat(64),
      adminId: 'admin-0',
      createdAt: now,
      lastSeenAt: now,
      expiresAt: soon,
      address: null,
      userAgent: null,
    };
    await source.adminSessions.addAdminSession(session);
    const copied = await copy();
    expect(copied.find(({ collection }) => collection === 'adminSessions')?.records).toBe(FILLED.adminSessions);
  });
});

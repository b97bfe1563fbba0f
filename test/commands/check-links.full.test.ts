import { afterEach, beforeEach, expect, test } from 'vitest';
import { readStarterCatalog } from '../../src/adapters/local/starter-catalog.ts';
import { normalizeObjectAddress } from '../../src/domain/learning-object.ts';
import { systemClock } from '../../src/ports/clock.ts';
import type { ImportSource } from '../../src/ports/imports.ts';
import { EVERY_TENANT, type ObjectChange, type Store } from '../../src/ports/store/store.ts';
import { createImportedCatalog } from '../../src/services/catalogue/imported-catalog.ts';
import { createImports } from '../../src/services/catalogue/imports/imports.ts';
import { createAudit } from '../../src/services/tenants/audit.ts';
import { linkCheck, unsureLink } from '../contract/store/link-check-records.ts';
import { link, placement } from '../contract/store/lti-records.ts';
import { objectChange } from '../contract/store/object-layers.ts';
import { tenant } from '../contract/store/records.ts';
import { startWebSite, type WebSite } from '../fakes/web-site.ts';
import { runProgram } from '../helpers/host-process.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { openTestStore } from '../helpers/test-store.ts';

let dataDir: string;
let store: Store;
let site: WebSite;
beforeEach(async () => {
  dataDir = makeTempDir();
  store = openTestStore(`${dataDir}/skilldock.db`);
  site = await startWebSite();
});
afterEach(async () => {
  await store.close();
  await site.close();
});

const added = (tenantId: string, path: string, state: Partial<ObjectChange['state']> = {}): ObjectChange => {
  const url = `${site.origin}${path}`;
  const address = normalizeObjectAddress(url);
  const all = { isAdded: true, isHidden: false, isWaiting: false, fields: {}, ...state };
  return objectChange(address, { tenantId, url, state: all });
};

const run = (args: readonly string[]) =>
  runProgram(['check-links', ...args], { DATA_DIR: dataDir, ALLOW_PRIVATE: new URL(site.origin).host });

/** Objects of the site; those of the starter catalogue were all checked just now. */
async function importObjects(paths: readonly string[]): Promise<void> {
  const { objects } = readStarterCatalog('data');
  const checkedAt = new Date();
  const checks = objects.map(({ url }) => linkCheck(url, { checkedAt }));
  for (let at = 0; at < checks.length; at += 1_000) await store.linkChecks.saveLinkChecks(checks.slice(at, at + 1_000));
  const source: ImportSource = {
    format: 'objects',
    dataset: 'objects-test',
    title: 'test',
    covers: [''],
    fingerprint: null,
    total: null,
    unit: 'rows',
    async *read() {
      const parts = paths.map((path) => {
        const url = `${site.origin}${path}`;
        return { kind: 'object', key: url, part: '', body: { ...objects[0], url } } as const;
      });
      yield { position: '1', done: 1, rows: 1, parts, rejected: [] };
    },
  };
  const imports = createImports({
    imports: store.imports,
    importedCatalog: createImportedCatalog(store),
    objectLayers: store.objectLayers,
    tenants: store.tenants,
    audit: createAudit({ audit: store.audit, clock: systemClock }),
    clock: systemClock,
    onProblem: () => undefined,
    openScratch: () => expect.unreachable(),
  });
  await imports.run({ kind: 'command', id: null, name: 'test', address: null }, source);
  await imports.close();
}

test('check-links visits due addresses, reports the results, and removes unknown ones', async () => {
  await importObjects(['/fine', '/gone']);
  site.put('/fine', 'Hello');
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  const failed = { reason: 'not-found', failures: 2, since: ago(2.1), checkedAt: ago(1.1) } as const;
  await store.linkChecks.saveLinkChecks([
    linkCheck('https://gone.example/'),
    unsureLink(`${site.origin}/gone`, failed),
  ]);
  // What is only in a course is visited as well, and not forgotten.
  const object = { ...placement('a').object, url: `${site.origin}/placed` };
  site.put('/placed', 'Hello');
  await store.tenants.addTenant(tenant('lyon'));
  await store.placements.addPlacements([placement('a', { object })]);
  await store.placements.openLink(link('a'));
  // So is what administrators added, for one tenant or for all; not what waits or is hidden.
  await store.objectLayers.saveObjectChange(added('lyon', '/added'));
  await store.objectLayers.saveObjectChange(added(EVERY_TENANT, '/for-all'));
  await store.objectLayers.saveObjectChange(added('lyon', '/waiting', { isWaiting: true }));
  await store.objectLayers.saveObjectChange(added('lyon', '/hidden', { isHidden: true }));
  for (const path of ['/added', '/for-all']) site.put(path, 'Hello');
  const first = await run(['--json']);
  expect({ ...first, stdout: '' }).toMatchObject({ code: 0, stdout: '' });
  const { listed, ...told } = JSON.parse(first.stdout) as Record<string, number>;
  expect(listed).toBeGreaterThan(1_000);
  expect(told).toEqual({
    checked: 5,
    alive: 4,
    dead: 1,
    unsure: 0,
    postponed: 0,
    unreached: 0,
    removed: 1,
  });
  expect(await store.linkChecks.listBrokenLinks({ page: 0, pageSize: 9, search: '' })).toMatchObject({
    items: [{ url: `${site.origin}/gone`, state: 'dead', reason: 'not-found' }],
    total: 1,
  });
  expect(site.requests).not.toContain('GET /waiting');
  const again = await run([]);
  expect(again.stdout).toMatch(/^\d,\d{3} addresses in the catalogue, 0 of them due\.\n/);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createImportSources } from '../../../../src/adapters/catalog/open-import-source.ts';
import { createUploads } from '../../../../src/adapters/files/uploads.ts';
import { createOutbound } from '../../../../src/adapters/remote/outbound.ts';
import { noPrivateAccess } from '../../../../src/domain/private-hosts.ts';
import { systemClock } from '../../../../src/ports/clock.ts';
import type { ImportSources } from '../../../../src/ports/imports.ts';
import type { Store } from '../../../../src/ports/store/store.ts';
import { createUploadedImports, type UploadTask } from '../../../../src/services/catalogue/imports/uploaded-imports.ts';
import { createSharedFiles } from '../../../../src/services/host/shared-files.ts';
import { tester } from '../../../helpers/open-services.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { createGate, openEmptyStore, readAll, startHost } from './import-samples.ts';

const ROWS = 9;
/** And their provider. */
const RECORDS = ROWS + 1;
const csv = ['url,title', ...Array.from({ length: ROWS }, (_, i) => `https://a.example/${i},Title ${i}`)];
const task: UploadTask = { request: { format: 'objects', langs: ['en'] }, options: { rhythm: null } };

let store: Store;
beforeEach(() => {
  store = openEmptyStore();
});

/** A host with a folder of its own. @param between waited for before each row of a source is given
 *  on */
function openHost(between?: (row: number) => Promise<void>) {
  const folder = join(makeTempDir(), 'uploads');
  const uploads = createUploads({ folder });
  const outbound = createOutbound({ allowLoopback: false, privateAccess: noPrivateAccess, version: 'test' });
  onTestFinished(() => outbound.close());
  const real = createImportSources({ outbound });
  const sources: ImportSources = {
    ...real,
    async open(request) {
      const source = await real.open(request);
      return {
        ...source,
        async *read(options) {
          let row = 0;
          for await (const item of source.read(options)) {
            await between?.(row++);
            yield item;
          }
        },
      };
    },
  };
  const { imports, catalog } = startHost(store, { clock: systemClock, batchSize: 1 });
  const problems: unknown[] = [];
  const onProblem = (error: unknown) => problems.push(error);
  const { files, nonces, rateCounters } = store;
  const clock = systemClock;
  const shared = createSharedFiles({ files, nonces, clock, onProblem, leaseMs: 400 });
  const uploaded = createUploadedImports({
    runs: imports,
    sources,
    uploads,
    shared,
    rateCounters,
    clock,
    onProblem,
  });
  const stop = () => Promise.all([uploaded.close(), imports.close()]);
  onTestFinished(async () => void (await stop()));
  return { folder, uploads, imports, catalog, uploaded, shared, problems, stop };
}

type Opened = ReturnType<typeof openHost>;

async function* asContent() {
  yield Buffer.from(csv.join('\n'));
}

async function send({ uploads, uploaded }: Opened, changes: Partial<UploadTask> = {}) {
  const upload = await uploads.receive('spring.csv', asContent());
  return uploaded.begin(tester, upload, { ...task, ...changes });
}

const stateOf = async (id: string) => (await store.imports.findImport(id))?.state;
const isEmpty = (folder: string) => !existsSync(folder) || readdirSync(folder).length === 0;

test('what a browser sent is kept in the store until its import has ended, and nowhere afterwards', async () => {
  const gate = createGate();
  const host = openHost(() => gate.opened);
  const { id } = await send(host);
  expect((await host.shared.list('upload/')).map(({ bytes }) => bytes)).toEqual([csv.join('\n').length]);
  gate.open();
  await expect.poll(() => stateOf(id)).toBe('live');
  await expect.poll(() => store.files.listFiles('')).toEqual([]);
  await expect.poll(() => isEmpty(host.folder)).toBe(true);
});

test('an import whose host is stopped goes on with another one from where it was', async () => {
  const gate = createGate();
  const first = openHost((row) => (row < 4 ? Promise.resolve() : gate.opened));
  const { id } = await send(first);
  await expect.poll(async () => (await store.imports.findImport(id))?.position).not.toBeNull();
  const second = openHost();
  await second.uploaded.takeOver();
  expect(readdirSync(first.folder)).toHaveLength(1);
  expect(isEmpty(second.folder)).toBe(true);
  const stopped = first.stop();
  gate.open();
  await stopped;
  expect(isEmpty(first.folder)).toBe(true);
  expect(await stateOf(id)).toBe('stopped');
  await second.uploaded.takeOver();
  await expect.poll(() => stateOf(id)).toBe('live');
  expect(await readAll(second)).toHaveLength(RECORDS);
  await expect.poll(() => store.files.listFiles('')).toEqual([]);
  expect(isEmpty(second.folder)).toBe(true);
});

/** As a host leaves it that was killed with this import. */
async function leaveKilled(host: Opened, name = 'upload/killed'): Promise<void> {
  const noted = { actor: tester, task, name: 'spring.csv', receivedAtMs: Date.now() };
  await host.shared.put({ name, about: JSON.stringify(noted) }, asContent());
}

test('an upload of a host that was killed is imported by one of the others, once', async () => {
  const hosts = [openHost(), openHost(), openHost()] as const;
  await leaveKilled(hosts[0]);
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 300);
  await store.nonces.claimNonce('turn upload/killed', { now, expiresAt, by: 'killed' });
  const takeOver = () => Promise.all(hosts.map(({ uploaded }) => uploaded.takeOver()));
  await takeOver();
  expect((await store.imports.listImports({ page: 0, pageSize: 9 })).items).toEqual([]);
  await expect
    .poll(async () => {
      await takeOver();
      return (await store.imports.listLive()).length;
    })
    .toBe(1);
  expect(await readAll(hosts[0])).toHaveLength(RECORDS);
  await expect.poll(() => store.files.listFiles('')).toEqual([]);
  const { items } = await store.imports.listImports({ page: 0, pageSize: 9 });
  expect(items.map(({ title, actor, number }) => [title, actor.name, number])).toEqual([
    ['spring.csv', tester.name, 1],
  ]);
});

test('one that is damaged in the store is not imported, and said', async () => {
  const host = openHost();
  await leaveKilled(host);
  const [file] = await store.files.listFiles('');
  await store.files.putFilePart(file!.id, 0, Buffer.from(csv.join('\n').replace('Title', 'title')));
  await host.uploaded.takeOver();
  await expect.poll(() => host.problems).toEqual([expect.objectContaining({ name: 'FileDamaged' })]);
  await expect.poll(() => store.files.listFiles('')).toEqual([]);
  expect(await store.imports.listLive()).toEqual([]);
  await expect.poll(() => isEmpty(host.folder)).toBe(true);
});

test('one that ended five hosts goes round no more', async () => {
  const host = openHost();
  await leaveKilled(host);
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 60_000);
  await store.rateCounters.addRatePoints('upload/killed', 5, { now, expiresAt });
  await host.uploaded.takeOver();
  await expect.poll(() => store.files.listFiles('')).toEqual([]);
  expect((await store.imports.listImports({ page: 0, pageSize: 9 })).items).toEqual([]);
});

test('where it cannot begin, whoever sent it is told, and nothing stays', async () => {
  const host = openHost();
  const refused = send(host, { request: { format: 'esco', langs: [] } });
  await expect(refused).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
  await expect.poll(() => store.files.listFiles('')).toEqual([]);
  expect(isEmpty(host.folder)).toBe(true);
  const kept = await host.uploads.receive('spring.csv', asContent());
  expect(readFileSync(kept.path, 'utf8')).toBe(csv.join('\n'));
  await store.close();
  await expect(host.uploaded.begin(tester, kept, task)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await expect.poll(() => isEmpty(host.folder)).toBe(true);
});

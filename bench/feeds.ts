// npm run bench:feeds -- [objects]; run from the project root
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLocalService } from '../src/adapters/local/open-local-service.ts';
import { createRequestIds } from '../src/adapters/local/request-ids.ts';
import { createSqliteStore } from '../src/adapters/store/sqlite/sqlite-store.ts';
import { systemActor } from '../src/domain/admin.ts';
import type { CatalogPart } from '../src/domain/catalog.ts';
import type { LearningObjectQuery } from '../src/domain/learning-object-query.ts';
import type { ObjectDocument } from '../src/engine/objects/types.ts';
import { systemClock } from '../src/ports/clock.ts';
import type { ImportSource } from '../src/ports/imports.ts';
import { createImportedCatalog } from '../src/services/catalogue/imported-catalog.ts';
import { createImports } from '../src/services/catalogue/imports/imports.ts';
import { createAudit } from '../src/services/tenants/audit.ts';
import { generateDocuments } from './corpus/generate.ts';
import { makeQueries } from './corpus/queries.ts';
import { readSourceTexts } from './corpus/source-texts.ts';
import { digits, quantile } from './measure.ts';

/** Objects of a feed's day. */
const DAY = 300;
/** What is laid over in the end. */
const MOST = 2_000;
const QUERIES = 300;
const BATCH = 1_000;

const count = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
const onProblem = (error: unknown) => console.error(error);

async function main(): Promise<void> {
  const store = createSqliteStore(join(folder, 'skilldock.db'));
  const clock = systemClock;
  const imports = createImports({
    imports: store.imports,
    importedCatalog: createImportedCatalog(store),
    objectLayers: store.objectLayers,
    tenants: store.tenants,
    audit: createAudit({ audit: store.audit, clock }),
    clock,
    onProblem,
    openScratch: () => Promise.reject(new Error('no dry run here')),
  });
  const imported = createImportedCatalog(store);
  const all = generateDocuments(count + MOST, readSourceTexts().texts);
  await imports.run(systemActor, sourceOf('catalogue', all, count));
  const service = openLocalService({
    catalogDir: join(process.cwd(), 'data'),
    dataDir: join(folder, 'data'),
    imported,
    onProblem,
    clock,
    publicUrl: 'https://skills.example.org',
    requestIds: createRequestIds(Buffer.from('a secret of the bench'), clock),
    // Otherwise the next version would be built in between.
    overlayLimit: 2 * MOST,
  });
  const builtMs = await timeUntil(async () => {
    await service.updates.catchUp();
    return service.imported === (await imported.version());
  });
  console.log(`${count} objects imported; built in ${digits(builtMs / 1_000)} s`);
  service.updates.start();
  const sample = [...generateDocuments(count, readSourceTexts().texts)].slice(0, 5_000);
  const queries = Object.values(makeQueries(sample, QUERIES)).flat();
  let asked = 0;
  const search = async (label: string) => {
    const times: number[] = [];
    // Another length each time: answers are remembered.
    const max = 5 + asked++;
    for (const { keywords } of queries) {
      const start = readCpu();
      await service.learning.ask('searchProvider', { ...query, keywords, max });
      times.push(readCpu() - start);
    }
    console.log(`${label}: search p50 ${digits(quantile(times, 0.5))} ms, p99 ${digits(quantile(times, 0.99))} ms`);
  };
  await search('warming up');
  await search('nothing laid over');
  await search('nothing laid over');
  for (let laid = 0; laid < MOST; ) {
    const size = Math.min(DAY, MOST - laid);
    const own = take(all, size);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    await imports.run(systemActor, sourceOf(`feed-${laid}`, own, size));
    delay.enable();
    const cpu = readCpu();
    const last = own.at(-1)?.id ?? '';
    const ms = await timeUntil(async () => (await service.providerOf(last)) !== null);
    delay.disable();
    laid += size;
    console.log(
      `${size} more objects, ${laid} laid over: found ${digits(ms)} ms after the import's end, with ${digits(readCpu() - cpu)} ms of CPU, longest pause ${digits(delay.max / 1e6)} ms`,
    );
    if (laid === DAY) await search(`${laid} laid over`);
  }
  await search(`${MOST} laid over`);
  await search(`${MOST} laid over`);
  await service.close();
  await imports.close();
  await store.close();
}

/** Milliseconds of this process: what others do on the machine does not count. */
function readCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function timeUntil(isDone: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await isDone())) await sleep(5);
  return performance.now() - start;
}

const query: LearningObjectQuery = {
  keywords: '',
  providers: [],
  types: [],
  blooms: [],
  sort: 'popularity',
  match: 'best-effort',
  model: 'extended',
  max: 10,
  page: 0,
  important: new Set<never>(),
};

function take(documents: Generator<ObjectDocument>, size: number): ObjectDocument[] {
  return Array.from({ length: size }, () => documents.next().value as ObjectDocument);
}

function sourceOf(dataset: string, documents: Iterable<ObjectDocument>, size: number): ImportSource {
  const next = documents[Symbol.iterator]();
  return {
    format: 'objects',
    dataset,
    title: dataset,
    covers: [''],
    fingerprint: null,
    total: size,
    unit: 'rows',
    async *read() {
      for (let done = 0; done < size; ) {
        const rows = Math.min(BATCH, size - done);
        const parts = Array.from({ length: rows }, () => toPart(next.next().value as ObjectDocument));
        done += rows;
        yield { position: `${done}`, done, rows, parts, rejected: [] };
      }
    },
  };
}

function toPart({
  id,
  minutes,
  publishers,
  authors,
  types: _types,
  blooms: _blooms,
  ...own
}: ObjectDocument): CatalogPart {
  const body = {
    ...own,
    url: id,
    publisher: publishers,
    author: authors,
    type: ['mooc'],
    bloom: ['Apply'],
    ...(minutes !== undefined && { learningTime: { value: minutes, unit: 'min' } }),
  };
  return { kind: 'object', key: id, part: '', body };
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true });
}

/** `npm run bench:replacements -- --seed 1 --count 100`: objects of the starter catalogue are drawn and made dead; writes what is
 *  proposed in the place of each, without scores, to be graded by somebody who does not know how it was found. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openLocalService } from '../src/adapters/local/open-local-service.ts';
import { createRequestIds } from '../src/adapters/local/request-ids.ts';
import { readStarterCatalog } from '../src/adapters/local/starter-catalog.ts';
import { createUpstreams } from '../src/adapters/remote/upstreams.ts';
import { createSqliteStore } from '../src/adapters/store/sqlite/sqlite-store.ts';
import { createRecordServices } from '../src/compose/record-services.ts';
import type { SecretKeys } from '../src/compose/secret-keys.ts';
import { createSearchingServices } from '../src/compose/services.ts';
import { noPrivateAccess } from '../src/domain/private-hosts.ts';
import { DEFAULT_TENANT } from '../src/domain/tenant.ts';
import { systemClock as clock } from '../src/ports/clock.ts';
import { createUsage } from '../src/services/host/usage.ts';
import { findReplacements } from '../src/services/searching/replacements.ts';
import { createTenantUpstreams } from '../src/services/searching/upstreams.ts';
import { below, createRandom } from './corpus/random.ts';
import { required } from './required.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    out: { type: 'string', default: 'replacements.json' },
  },
});

const dataDir = mkdtempSync(join(tmpdir(), 'skilldock-replacements-'));
const service = openLocalService({
  catalogDir: 'data',
  dataDir,
  clock,
  onProblem: (error) => console.error(error),
  publicUrl: 'http://localhost',
  requestIds: createRequestIds(Buffer.from('replacements'), clock),
});
const store = createSqliteStore(join(dataDir, 'skilldock.db'));
const secretKeys: SecretKeys = { isInFile: false, read: () => ['a secret of the benchmark, long enough'] };
const { secrets, tenants } = createRecordServices({ store, secretKeys, clock });
await tenants.prepare();
const onProblem = (error: unknown) => console.error(error);
const ways = createUpstreams({ privateAccess: noPrivateAccess, clock });
const upstreams = createTenantUpstreams({
  tenants: store.tenants,
  secrets,
  upstreams: ways,
  local: service.learning,
  clock,
});
const usage = createUsage({ usage: store.usage, clock, onProblem });
const { trialOf } = createSearchingServices({
  store,
  shareAnswers: false,
  upstreams,
  usage,
  clock,
  onProblem,
});
const tenant = await tenants.getTenant(DEFAULT_TENANT);

/** As searches give it, which is what a placement keeps. */
async function findObject(title: string, url: string) {
  const found = await service.learning.ask('searchMany', {
    keywords: title.slice(0, 300),
    providers: [],
    types: [],
    blooms: [],
    sort: 'popularity',
    match: 'best-effort',
    model: 'extended',
    max: 20,
    page: 0,
    important: new Set(),
  });
  return found?.content.find((each) => each.url === url);
}

const { objects } = readStarterCatalog('data');
const random = createRandom(Number(values.seed));
const drawn = new Map<string, (typeof objects)[number]>();
while (drawn.size < Number(values.count)) {
  const object = required(objects[below(random, objects.length)], 'object');
  drawn.set(object.url, object);
}
const dead = new Set(drawn.keys());
const pairs = [];
const times: number[] = [];
for (const { title, url } of drawn.values()) {
  const object = await findObject(title, url);
  if (object === undefined) {
    console.error(`not found by its title: ${title}`);
    pairs.push({ object: { title, url }, proposals: [] });
    continue;
  }
  const began = performance.now();
  const proposals = await findReplacements(
    {
      discovery: trialOf(DEFAULT_TENANT),
      tenant,
      signal: AbortSignal.timeout(20_000),
      onProblem,
      findDead: async (urls) => new Set(urls.filter((each) => dead.has(each))),
    },
    object,
  );
  times.push(performance.now() - began);
  pairs.push({
    object,
    proposals: proposals.map(({ hit, differences }) => ({ ...hit.object, differences })),
  });
}
writeFileSync(values.out, `${JSON.stringify(pairs, null, 1)}\n`);
times.sort((a, b) => a - b);
console.log(
  `${pairs.length} objects, ${pairs.filter(({ proposals }) => proposals.length > 0).length} with proposals; median ${Math.round(times[Math.floor(times.length / 2)] ?? 0)} ms, slowest ${Math.round(times.at(-1) ?? 0)} ms`,
);
await usage.close();
await ways.close();
await store.close();
await service.close();
rmSync(dataDir, { recursive: true });

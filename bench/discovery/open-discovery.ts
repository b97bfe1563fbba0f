import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUpstreams } from '../../src/adapters/remote/upstreams.ts';
import { createSqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts';
import { createRecordServices } from '../../src/compose/record-services.ts';
import type { SecretKeys } from '../../src/compose/secret-keys.ts';
import { createSearchingServices } from '../../src/compose/services.ts';
import { DEFAULT_TENANT } from '../../src/domain/tenant.ts';
import { systemClock as clock } from '../../src/ports/clock.ts';
import { createUsage } from '../../src/services/host/usage.ts';
import type { Discovery } from '../../src/services/searching/discovery.ts';
import { createTenantUpstreams } from '../../src/services/searching/upstreams.ts';
import { createFakeLearningService } from '../../test/fakes/learning-service.ts';
import { UPSTREAM_KEY } from '../../test/fakes/upstream.ts';
import { loopbackAccess } from '../../test/helpers/private-access.ts';

export interface OpenDiscovery {
  readonly discovery: Discovery;
  close(): Promise<void>;
}

/** Everything between a face and an upstream, as a host has it: tenant, sealed key, counts, cache, policies. */
export async function openDiscovery(url: string): Promise<OpenDiscovery> {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
  const store = createSqliteStore(join(folder, 'skilldock.db'));
  const secretKeys: SecretKeys = { isInFile: false, read: () => ['a secret of the benchmark, long enough'] };
  const { secrets, tenants } = createRecordServices({ store, secretKeys, clock });
  await tenants.prepare({ upstream: { kind: 'direct', url }, apiKey: UPSTREAM_KEY, marketplaceKey: null });
  const ways = createUpstreams({ privateAccess: loopbackAccess, clock });
  const local = createFakeLearningService();
  const upstreams = createTenantUpstreams({ tenants: store.tenants, secrets, upstreams: ways, local, clock });
  // What fails is measured too.
  const onProblem = () => undefined;
  const usage = createUsage({ usage: store.usage, clock, onProblem });
  const parts = createSearchingServices({ store, shareAnswers: false, upstreams, usage, clock, onProblem });
  return {
    discovery: parts.discoveryOf(DEFAULT_TENANT),
    async close() {
      await ways.close();
      await usage.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

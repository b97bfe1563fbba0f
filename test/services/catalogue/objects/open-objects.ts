import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSearchingServices } from '../../../../src/compose/services.ts';
import type { Actor } from '../../../../src/domain/admin.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { createObjects } from '../../../../src/services/catalogue/objects/objects.ts';
import { createTenantUpstreams } from '../../../../src/services/searching/upstreams.ts';
import { type OpenedImports, openImports } from '../../../adapters/local/imported.ts';
import { anObject, openService, searchFor, writeCatalog } from '../../../adapters/local/services.ts';
import { tenant } from '../../../contract/store/records.ts';
import { openServices } from '../../../helpers/open-services.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';

export const ada: Actor = { kind: 'admin', id: 'ada', name: 'Ada', address: null };
export const url = (id: string) => `https://example.org/${id}`;

/** Objects of tenants over a real engine and a real store: a catalogue of Cobol, Java and Pascal, and what is imported. */
export async function openObjects() {
  const services = await openServices();
  const { store, clock } = services;
  const catalogDir = makeTempDir();
  writeCatalog(catalogDir, {
    objects: [
      anObject('a', { title: 'Cobol', learningTime: { value: 2, unit: 'h' } }),
      anObject('b', { title: 'Java', type: ['video'] }),
      anObject('c', { title: 'Pascal', lang: 'fr' }),
    ],
  });
  const imports: OpenedImports = openImports(store);
  const engine = openService(catalogDir, makeTempDir(), { imported: imports.catalog, pollMs: 20 });
  onTestFinished(async () => {
    await engine.close();
    await services.close();
  });
  for (const id of ['lyon', 'paris']) await store.tenants.addTenant(tenant(id));
  const upstreams = createTenantUpstreams({
    tenants: store.tenants,
    secrets: services.secrets,
    upstreams: services.fakeUpstreams,
    clock,
    local: engine.learning,
  });

  /** A host on the store, with what it remembers. */
  function openHost() {
    const parts = createSearchingServices({
      store,
      shareAnswers: false,
      upstreams,
      usage: services.usage,
      clock,
      onProblem: () => undefined,
    });
    const { objectLayers } = store;
    const { layers, learningOf, discoveryOf } = parts;
    const objects = createObjects({
      objectLayers,
      layers,
      catalog: engine.catalog,
      store,
      audit: services.audit,
      clock,
    });
    /** Titles that a tenant's people find. */
    async function find(tenantId: string, keywords: string): Promise<readonly string[]> {
      const query = searchFor(keywords);
      const { content } = await learningOf(tenantId).ask('searchMany', query);
      const { items } = await discoveryOf(tenantId).searchLearningObjects(query);
      const titles = content.map(({ title }) => title);
      if (items.map(({ object }) => object.title).join() !== titles.join())
        throw new Error('people and programs find something else');
      return titles;
    }
    return { objects, layers, find, learningOf };
  }
  return { ...services, ...openHost(), openHost, engine, imports, DEFAULT_TENANT, folder: join(catalogDir) };
}

import type { CatalogObject, ObjectCatalog, TenantLayer } from '../../src/ports/object-catalog.ts';

/** A catalogue of these objects, whatever the layer. */
export function createFakeObjectCatalog(objects: readonly CatalogObject[] = []): ObjectCatalog {
  return {
    listObjects: () => ({ items: objects, total: objects.length }),
    findObject: (_layer, url) => objects.find((object) => object.url === url) ?? null,
  };
}

const none = { tenantId: '', version: '', changes: new Map() };

/** Nothing was changed. */
export const noLayer: TenantLayer = { stamp: '', all: none, own: none };

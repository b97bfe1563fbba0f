import type { CatalogObject, ObjectCatalog, TenantLayer } from '../../src/ports/object-catalog.ts';

/** A catalogue of these objects, whatever the layer. */
export function createFakeObjectCatalog(objects: readonly CatalogObject[] = []): ObjectCatalog {
  return {
    listObjects: async () => ({ items: objects, total: objects.length }),
    findObject: async (_layer, url) => objects.find((object) => object.url === url) ?? null,
    readObjects: async () => new Map(),
  };
}

const none = { tenantId: '', version: '', changes: new Map() };

/** Nothing was changed. */
export const noLayer: TenantLayer = { stamp: '', all: none, tenant: none };

/** With texts that look like markup. */
export const catalogObject = (changes: Partial<CatalogObject> = {}): CatalogObject => ({
  url: 'https://example.org/<object>',
  providerId: 'school',
  origin: 'starter',
  isEdited: false,
  hiddenFor: null,
  fields: {
    title: '<Object>',
    description: '<Description>',
    provider: '<Provider>',
    lang: 'en',
    type: ['video'],
    bloom: ['Apply'],
    keywords: ['<keyword>'],
    publisher: ['<Publisher>'],
    author: ['<Author>'],
    level: 0.3,
    minutes: 90,
    free: null,
    picture: null,
  },
  ...changes,
});

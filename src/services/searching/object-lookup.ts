import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { createLearningObjectQuery } from '#domain/learning-object-query';
import { toPlainObjectFields } from '#domain/object-fields';
import { initialDefaults } from '#domain/tenant';
import { AppError } from '#errors';
import type { CallOptions } from '#ports/learning-service';
import type { ObjectCatalog } from '#ports/object-catalog';
import type { ObjectLayers } from '../catalogue/objects/object-layers.ts';
import type { Discovery } from './discovery.ts';

interface NamedObject {
  readonly url: string;
  /** Title in the search result, for which an upstream is searched. */
  readonly title?: string | undefined;
}

export type ObjectLookup = ReturnType<typeof createObjectLookup>;

export function createObjectLookup(deps: {
  readonly catalog: Pick<ObjectCatalog, 'findObject'>;
  readonly layers: Pick<ObjectLayers, 'layerOf'>;
  discoveryOf(tenantId: string): Pick<Discovery, 'searchLearningObjects'>;
  isEmbedded(tenantId: string): Promise<boolean>;
}) {
  const { catalog, layers, discoveryOf, isEmbedded } = deps;

  /** Finds an object of the tenant by any spelling of its address; null if there is none.
   *  Errors: those of `Discovery.searchLearningObjects`. */
  async function find(tenantId: string, { url, title }: NamedObject, options?: CallOptions) {
    if (await isEmbedded(tenantId)) {
      const catalogObject = await catalog.findObject(await layers.layerOf(tenantId), url);
      if (catalogObject === null || catalogObject.hiddenFor !== null) return null;
      // Edits may have emptied the description, which counts as absent.
      const { description, ...object } = toPlainObjectFields(catalogObject);
      return description ? { ...object, description } : object;
    }
    if (title === undefined) return null;
    const query = createLearningObjectQuery(title, { ...initialDefaults, itemsPerPage: 20 });
    const { items } = await discoveryOf(tenantId).searchLearningObjects(query, options);
    const address = normalizeObjectAddress(url);
    return items.find(({ object }) => normalizeObjectAddress(object.url) === address)?.object ?? null;
  }

  return {
    find,
    /** Errors: OBJECT_UNKNOWN, and those of `find`. */
    async get(tenantId: string, named: NamedObject, options?: CallOptions): Promise<LearningObject> {
      const object = await find(tenantId, named, options);
      if (object !== null) return object;
      throw new AppError(
        'OBJECT_UNKNOWN',
        'No learning object with this address can be found here. Search for it, and give its address and title as the search gave them.',
      );
    },
  };
}

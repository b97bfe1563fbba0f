import { onTestFinished } from 'vitest';
import {
  type OpenSearchStore,
  type OpenSearchStoreOptions,
  openOpenSearchStore,
} from '../../../src/adapters/opensearch/objects-store.ts';
import type { OpenSearchNode } from '../../helpers/opensearch-node.ts';

/** A store of objects with indexes of its own on a node, in a test. */
export function openStoreOn(
  { address, prefix }: Pick<OpenSearchNode, 'address' | 'prefix'>,
  changes: Partial<OpenSearchStoreOptions> = {},
): OpenSearchStore {
  const store = openOpenSearchStore({ nodes: [address], prefix, replicas: 0, pauseMs: 300, ...changes });
  onTestFinished(() => store.close());
  return store;
}

import { onTestFinished } from 'vitest';
import {
  type OpenSearchIndex,
  type OpenSearchIndexOptions,
  openOpenSearchIndex,
} from '../../../src/adapters/opensearch/opensearch-index.ts';
import type { OpenSearchNode } from '../../helpers/opensearch-node.ts';

/** A store of objects with indexes of its own on a node, in a test. */
export function openStoreOn(
  { address, prefix }: Pick<OpenSearchNode, 'address' | 'prefix'>,
  changes: Partial<OpenSearchIndexOptions> = {},
): OpenSearchIndex {
  const store = openOpenSearchIndex({ nodes: [address], prefix, replicas: 0, pauseMs: 300, ...changes });
  onTestFinished(() => store.close());
  return store;
}

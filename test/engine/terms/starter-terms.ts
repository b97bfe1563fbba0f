import { readCatalog } from '../../../src/adapters/local/starter-catalog.ts';
import { createTermIndex } from './create-term-index.ts';

/** The taxonomies that come with the host. */
export const starterTerms = createTermIndex(readCatalog('data').concepts);

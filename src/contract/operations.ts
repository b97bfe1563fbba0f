import type { WireOperationName } from '#ports/learning-service';
import { feedback } from './feedback.ts';
import { listBlooms, listLanguages, listProviders, listTypes } from './lists.ts';
import { searchMany } from './search.ts';
import { searchProvider } from './search-provider.ts';
import { similar } from './similar.ts';
import { suggest } from './suggest.ts';
import { tagger } from './tagger.ts';
import type { Wire } from './wire.ts';

/** All operations on the wire, for server, client and documents. */
export const operations: { readonly [N in WireOperationName]: Wire<N> } = {
  similar,
  tagger,
  suggest,
  listProviders,
  listTypes,
  listBlooms,
  listLanguages,
  searchProvider,
  feedback,
  searchMany,
};

export const operationNames = Object.keys(operations) as readonly WireOperationName[];

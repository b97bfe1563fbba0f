import MiniSearch, { type SearchOptions } from 'minisearch';
import type { ObjectDocument } from '../../src/engine/objects/types.ts';
import { fold } from '../../src/engine/text/fold.ts';
import { type BenchQuery, kinds } from '../corpus/queries.ts';
import { timePass } from '../measure.ts';
import { type BenchEngine, HITS } from './engine.ts';

export function createMiniSearch(): BenchEngine {
  const index = new MiniSearch<ObjectDocument>({
    fields: ['title', 'keywords', 'description', 'publishers'],
    storeFields: ['types'],
    processTerm: fold,
    extractField: (document, field) => {
      const value = document[field as keyof ObjectDocument];
      return Array.isArray(value) && field !== 'types' ? value.join(' ') : (value as string);
    },
    searchOptions: { boost: { title: 3, keywords: 2 } },
  });
  return {
    name: 'MiniSearch',
    kinds,
    add: (batch) => index.addAll(batch),
    finish: () => undefined,
    ask: (queries) => timePass(queries, (query) => index.search(query.keywords, optionsFor(query)).slice(0, HITS)),
    indexBytes: () => undefined,
    close: () => index.removeAll(),
  };
}

function optionsFor({ kind, type }: BenchQuery): SearchOptions {
  return {
    combineWith: kind === 'all-terms' ? 'AND' : 'OR',
    filter: (result) => (result.types as string[]).includes(type),
    ...(kind === 'prefix' && { prefix: (_, i, terms) => i === terms.length - 1 }),
    ...(kind === 'typo' && { fuzzy: 1 }),
  };
}

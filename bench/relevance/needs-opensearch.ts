import type { LearningObjectRecord } from '../../src/adapters/catalog/catalog-schema.ts';
import { createHttpClient } from '../opensearch/http-client.ts';
import { fillIndex } from '../opensearch/opensearch-peer.ts';
import type { NeedRanker } from './needs.ts';

const INDEX = 'skilldock-needs';
const SIZE = 20;

const ownWords = (analyzer: string) => {
  const text = { type: 'text', analyzer };
  return { properties: { title: text, keywords: text, description: text } };
};
/** Each language with the analyser that OpenSearch has for it, the rest with its standard one. */
const mappings = {
  dynamic: false,
  properties: {
    lang: { type: 'keyword' },
    en: ownWords('english'),
    fr: ownWords('french'),
    de: ownWords('german'),
    es: ownWords('spanish'),
    any: ownWords('standard'),
  },
};
const analyzed = ['en', 'fr', 'de', 'es'];
const fields = [...analyzed, 'any'].flatMap((lang) => [`${lang}.title^3`, `${lang}.keywords^2`, `${lang}.description`]);

/** A running OpenSearch as its documentation would have it for four languages: BM25, typos, and
 *  what is in the person's language first.
 *  @param url without a slash at the end */
export async function openNeedsPeer(
  url: string,
  objects: readonly LearningObjectRecord[],
): Promise<{ readonly rank: NeedRanker; close(): Promise<void> }> {
  const client = createHttpClient(url, { 'content-type': 'application/json' });
  await client.send(`/${INDEX}`, { method: 'DELETE' }).catch(() => undefined);
  await client.send(`/${INDEX}`, { method: 'PUT', body: JSON.stringify({ mappings }) });
  const documents = objects.map(({ url: id, lang, title, keywords, description }) => {
    return { id, lang, [analyzed.includes(lang) ? lang : 'any']: { title, keywords, description } };
  });
  await fillIndex(client, INDEX, documents);
  await client.send(`/${INDEX}/_refresh`, { method: 'POST' });
  return {
    async rank({ query, lang }) {
      const must = {
        multi_match: { query, fields, type: 'best_fields', tie_breaker: 0.3, fuzziness: 'AUTO' },
      };
      const should = { constant_score: { filter: { term: { lang } }, boost: 5 } };
      const body = JSON.stringify({ size: SIZE, _source: false, query: { bool: { must, should } } });
      const answer = await client.send(`/${INDEX}/_search`, { method: 'POST', body });
      return (JSON.parse(answer) as Answer).hits.hits.map(({ _id }) => _id);
    },
    async close() {
      await client.send(`/${INDEX}`, { method: 'DELETE' });
      await client.close();
    },
  };
}

interface Answer {
  readonly hits: { readonly hits: readonly { readonly _id: string }[] };
}

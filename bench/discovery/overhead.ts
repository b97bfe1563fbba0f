import { Agent, request } from 'undici';
import type { LearningObjectQuery } from '../../src/domain/learning-object-query.ts';
import { searchOf } from '../../test/fakes/search-of.ts';
import { UPSTREAM_KEY } from '../../test/fakes/upstream.ts';
import { quantile } from '../measure.ts';
import { required } from '../required.ts';
import { openDiscovery } from './open-discovery.ts';

/** Medians in milliseconds. */
export interface Overhead {
  /** Of undici alone. */
  readonly direct: number;
  /** What a search through everything takes longer than the same one before or after it. */
  readonly added: number;
}

const WARM_UP = 100;

/** New searches through everything, and the same searches by undici alone, by turns: whatever else the machine does hits
 *  both. */
export async function measureOverhead(url: string, searches: number): Promise<Overhead> {
  const { discovery, close } = await openDiscovery(url);
  const agent = new Agent();
  const ways = {
    direct: (query: LearningObjectQuery) => askDirectly(url, query, agent),
    service: (query: LearningObjectQuery) => discovery.searchLearningObjects(query),
  };
  const pairs: Record<keyof typeof ways, number>[] = [];
  for (let n = 0; n < WARM_UP + searches; n++) {
    const pair = { direct: 0, service: 0 };
    const turn = n % 2 === 0 ? (['direct', 'service'] as const) : (['service', 'direct'] as const);
    for (const way of turn) {
      const start = performance.now();
      await ways[way](searchOf({ keywords: `python ${n}`, providers: ['tube'] }));
      pair[way] = performance.now() - start;
    }
    if (n >= WARM_UP) pairs.push(pair);
  }
  await Promise.all([agent.destroy(), close()]);
  const median = (of: (pair: (typeof pairs)[number]) => number) => quantile(pairs.map(of), 0.5);
  return { direct: median(({ direct }) => direct), added: median(({ direct, service }) => service - direct) };
}

async function askDirectly(url: string, query: LearningObjectQuery, dispatcher: Agent): Promise<unknown> {
  const { keywords, lang, providers, sort, match, model, max, page } = query;
  const parameters = {
    keywords,
    lang: required(lang, 'language'),
    provider: required(providers[0], 'provider'),
    sort,
    match,
    model,
  };
  const search = new URLSearchParams({ ...parameters, max: `${max}`, page: `${page}` });
  const { body } = await request(`${url}/learningobject/v2/search-provider?${search}`, {
    dispatcher,
    headers: { accept: 'application/json', 'x-api-key': UPSTREAM_KEY },
  });
  return JSON.parse(await body.text());
}

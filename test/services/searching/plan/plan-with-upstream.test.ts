import { beforeEach, expect, test } from 'vitest';
import { createDiscoverySearch } from '../../../../src/services/searching/discovery/search.ts';
import { type PlanDeps, planFromText } from '../../../../src/services/searching/plan/plan.ts';
import { errorOf, useRemote } from '../../../adapters/remote/start-remote.ts';
import { answersOf, searchDepsOf } from '../discovery/discovery-parts.ts';
import { anything, ENGLISH, endsOf, FRENCH, readAll, requestFor, skillsOf } from './plan-events.ts';

const remote = useRemote({ timeoutMs: 20_000 });
const tags = (...labels: string[]) => ({
  body: { statusCode: 200, body: { tokenized_text: '', lang: 'en', tags: labels } },
});
const asked = (operation: string) => remote.upstream.requests.filter((request) => request.operation === operation);
const query = { ...anything, lang: 'en', providers: ['tube'] };
let deps: PlanDeps;
beforeEach(() => {
  const answers = answersOf(remote.upstreams.connect(remote.direct()), 'upstream.example');
  deps = { answers, search: createDiscoverySearch(searchDepsOf(answers)), count: () => {} };
});

test('nothing is asked before it is read', async () => {
  planFromText(deps, requestFor(ENGLISH, { query }));
  await remote.upstreams.connect(remote.direct()).ask('listTypes', {});
  expect(remote.upstream.requests.map(({ operation }) => operation)).toEqual(['type']);
});

test('labels that differ in case or accents are one skill', async () => {
  remote.upstream.reply('tagger', tags('Écologie', 'SQL', 'ecologie', 'sql', 'Python'));
  const events = await readAll(planFromText(deps, requestFor(ENGLISH, { query })));
  expect(skillsOf(events).map(({ label }) => label)).toEqual(['Écologie', 'SQL', 'Python']);
});

test('a long text is tagged in pieces, and what is in many of them weighs most', async () => {
  remote.upstream.reply('tagger', tags('Rare', 'Often'), tags('Often', 'Other'), tags('Often'));
  const events = await readAll(planFromText(deps, requestFor(ENGLISH.repeat(5), { query })));
  expect(asked('tagger').length).toBeGreaterThan(2);
  expect(skillsOf(events).map(({ label }) => label)).toEqual(['Often', 'Rare', 'Other']);
  expect(skillsOf(events)[1]!.weight).toBeLessThan(0.7);
});

test('a piece that is not tagged leaves the others; where none is, it fails', async () => {
  remote.upstream.reply('tagger', { status: 400, body: {} }, tags('SQL'));
  const long = requestFor(ENGLISH.repeat(5), { query });
  expect(skillsOf(await readAll(planFromText(deps, long)))).toEqual([{ label: 'SQL', weight: 1 }]);
  remote.upstream.reply('tagger', { status: 400, body: {} });
  expect((await errorOf(readAll(planFromText(deps, long)))).code).toBe('PARAMETERS_INVALID');
});

test('what one skill has is replaced for the next, as far as there is more', async () => {
  remote.upstream.reply('tagger', tags('A', 'B', 'C'));
  const events = await readAll(planFromText(deps, requestFor(ENGLISH, { query, perSkill: 10 })));
  expect(endsOf(events)).toEqual([
    ['A', 10],
    ['B', 10],
    ['C', 0],
  ]);
});

test('at most three searches are under way, the heaviest first', async () => {
  remote.upstream.reply('tagger', tags('A', 'B', 'C', 'D', 'E', 'F', 'G'));
  remote.upstream.reply('search-provider', { delayMs: 30 });
  await readAll(planFromText(deps, requestFor(ENGLISH, { query, maxSkills: 7 })));
  const searched = asked('search-provider').map((request) => request.query.keywords);
  expect(searched.slice(0, 3).toSorted()).toEqual(['A', 'B', 'C']);
  expect(searched).toHaveLength(7);
  expect(remote.upstream.mostAtOnce()).toBeLessThanOrEqual(3);
});

test.each([
  ['that of the text', {}, 'fr'],
  ['the given one', { lang: 'en' }, 'en'],
])('the language of the searches is %s', async (_name, given, lang) => {
  const anyLanguage = { ...anything, providers: ['tube'], ...given };
  await readAll(planFromText(deps, requestFor(FRENCH, { query: anyLanguage })));
  expect(asked('search-provider').map((request) => request.query.lang)).toEqual([lang, lang]);
});

test('a search that fails is told, and the others go on', async () => {
  remote.upstream.reply('tagger', tags('A', 'B', 'C'));
  remote.upstream.reply('search-provider', { status: 400, body: {} }, {});
  const ends = endsOf(await readAll(planFromText(deps, requestFor(ENGLISH, { query }))));
  expect(ends.map(([, end]) => end).toSorted()).toEqual([3, 3, 'PARAMETERS_INVALID']);
});

test('skills are told while the searches are under way', async () => {
  remote.upstream.reply('search-provider', { breaks: 'hang' });
  for await (const event of planFromText(deps, requestFor(ENGLISH, { query }))) {
    expect(event.kind).toBe('skills');
    break;
  }
});

test('whoever stops reading stops it, even while the next event is under way', async () => {
  remote.upstream.reply('tagger', tags('A', 'B', 'C', 'D', 'E'));
  remote.upstream.reply('search-provider', { breaks: 'hang' });
  const events = planFromText(deps, requestFor(ENGLISH, { query }))[Symbol.asyncIterator]();
  expect((await events.next()).value.kind).toBe('skills');
  const next = events.next();
  await expect.poll(() => asked('search-provider').length).toBe(3);
  expect(await events.return!()).toEqual({ done: true, value: undefined });
  expect(await next).toEqual({ done: true, value: undefined });
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(asked('search-provider')).toHaveLength(3);
});

test('whoever aborts stops it, and is told so', async () => {
  remote.upstream.reply('search-provider', {}, { breaks: 'hang' });
  const stop = new AbortController();
  const kinds: string[] = [];
  const reading = async () => {
    for await (const event of planFromText(deps, requestFor(ENGLISH, { query }), { signal: stop.signal })) {
      kinds.push(event.kind);
      if (event.kind === 'objects') stop.abort(new Error('gone'));
    }
  };
  await expect(reading()).rejects.toThrow('gone');
  expect(kinds).toEqual(['skills', 'objects']);
});

test('aborted before, it asks nothing', async () => {
  const signal = AbortSignal.abort(new Error('gone'));
  await expect(readAll(planFromText(deps, requestFor(ENGLISH, { query }), { signal }))).rejects.toThrow('gone');
  expect(remote.upstream.requests).toEqual([]);
});

import { beforeEach, expect, test } from 'vitest';
import { readLists } from '../../../src/services/discovery/discovery.ts';
import { useRemote } from '../../adapters/remote/start-remote.ts';
import { answersOf } from './discovery-parts.ts';

const remote = useRemote({ timeoutMs: 20_000 });
let answers: ReturnType<typeof answersOf>;
beforeEach(() => {
  answers = answersOf(remote.upstreams.connect(remote.direct()), 'upstream.example');
});

const idsOf = (providers: readonly { readonly id: string }[]) => providers.map(({ id }) => id);

test('one that cannot be had does not take the others away', async () => {
  remote.upstream.reply('bloom', { body: { hello: 1 } });
  remote.upstream.reply('type', { status: 500, body: '' });
  const { providers, types, blooms, languages, missing } = await readLists(answers);
  expect(idsOf(providers)).toEqual(['tube', 'school']);
  expect(languages).toEqual([{ value: 'fr', description: 'French' }]);
  expect([types, blooms]).toEqual([[], []]);
  expect([...missing].sort()).toEqual(['blooms', 'types']);
});

test('one that takes long is not waited for, but not given up either', async () => {
  remote.upstream.reply('provider', { breaks: 'hang' });
  const { providers, types, missing } = await readLists(answers, { timeoutMs: 2_000 });
  expect(providers).toEqual([]);
  expect(types).toHaveLength(2);
  expect(missing).toEqual(['providers']);
  expect(remote.upstream.aborted).toEqual([]);
});

test('whoever goes away waits for none', async () => {
  remote.upstream.reply('lang', { breaks: 'hang' });
  const leaving = new AbortController();
  const reading = readLists(answers, { signal: leaving.signal, timeoutMs: 20_000 });
  reading.catch(() => {});
  await expect.poll(() => remote.upstream.requests.length, { timeout: 5_000 }).toBe(4);
  leaving.abort();
  await expect(reading).rejects.toThrow(leaving.signal.reason);
  await expect.poll(() => remote.upstream.aborted.length, { timeout: 5_000 }).toBe(1);
});

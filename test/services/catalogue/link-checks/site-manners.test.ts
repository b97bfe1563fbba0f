import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { visitHosts } from '../../../../src/services/catalogue/link-checks/site-manners.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function* listUrls() {
  yield 'https://a.example/1';
  yield 'https://b.example/1';
}

/** Visits some addresses, and gives what the visits hold. */
async function visitOnce(signal: AbortSignal): Promise<WeakRef<object>> {
  const held = { visits: 0 };
  await visitHosts(listUrls(), async () => ++held.visits, { hosts: 2, ahead: 2, signal });
  expect(held.visits).toBe(2);
  return new WeakRef(held);
}

test('nothing of a round stays in memory while its signal lives on', async () => {
  const stop = new AbortController();
  const held = await visitOnce(stop.signal);
  // Some collections: what is weak is looked at in a later turn.
  for (let turn = 0; turn < 5 && held.deref() !== undefined; turn++) {
    await sleep(10);
    collect();
  }
  expect(held.deref()).toBeUndefined();
  expect(stop.signal.aborted).toBe(false);
});

test('an error of a visit ends the round, and is its error', async () => {
  const { signal } = new AbortController();
  const refuse = async () => {
    throw new Error('no');
  };
  await expect(visitHosts(listUrls(), refuse, { hosts: 1, ahead: 1, signal })).rejects.toThrow('no');
  const stopped = AbortSignal.abort(new Error('stopped'));
  const round = visitHosts(listUrls(), async () => 0, { hosts: 1, ahead: 1, signal: stopped });
  await expect(round).rejects.toThrow('stopped');
});

test('an error of the list ends the round, and no visit follows', async () => {
  async function* listSome() {
    yield 'https://a.example/1';
    yield 'https://a.example/2';
    throw new Error('no more');
  }
  const visits: string[] = [];
  const { signal } = new AbortController();
  const round = visitHosts(listSome(), async (url) => visits.push(url) && 10, { hosts: 1, ahead: 3, signal });
  await expect(round).rejects.toThrow('no more');
  await sleep(50);
  expect(visits).toHaveLength(1);
});

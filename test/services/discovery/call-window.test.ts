import { expect, test, vi } from 'vitest';
import { createCallWindow } from '../../../src/services/discovery/provider-calls.ts';

const settle = () => new Promise((done) => setImmediate(done));

/** Calls that end when they are told to; gives how many are begun. */
function createCalls(run: ReturnType<typeof createCallWindow>) {
  const ends: ((failure?: Error) => void)[] = [];
  const call = () =>
    run(
      () =>
        new Promise<string>((resolve, reject) => {
          ends.push((failure) => (failure === undefined ? resolve('done') : reject(failure)));
        }),
    );
  return { ends, call };
}

test('a call that hangs gives its place to the next one, and is waited for all the same', async () => {
  const { ends, call } = createCalls(createCallWindow({ places: 1, patienceMs: 500 }));
  const [first, second] = [call(), call()];
  await settle();
  expect(ends).toHaveLength(1);
  await vi.waitFor(() => expect(ends).toHaveLength(2), 10_000);
  for (const end of ends) end();
  expect(await Promise.all([first, second])).toEqual(['done', 'done']);
});

test('so many hang at the same time, and no more', async () => {
  const { ends, call } = createCalls(createCallWindow({ places: 1, patienceMs: 1, maxUnderWay: 3 }));
  for (let number = 0; number < 5; number++) void call();
  await vi.waitFor(() => expect(ends).toHaveLength(3), 10_000);
  await new Promise((done) => setTimeout(done, 20));
  expect(ends).toHaveLength(3);
  ends[0]!();
  await vi.waitFor(() => expect(ends).toHaveLength(4), 10_000);
});

test('a call that fails does so, early or late, and gives its place away', async () => {
  const { ends, call } = createCalls(createCallWindow({ places: 1, patienceMs: 500 }));
  const [early, late] = [call(), call()].map((called) => called.catch(({ message }: Error) => message));
  await settle();
  ends[0]!(new Error('early'));
  expect(await early).toBe('early');
  await settle();
  const next = call();
  await vi.waitFor(() => expect(ends).toHaveLength(3), 10_000);
  ends[1]!(new Error('late'));
  expect(await late).toBe('late');
  ends[2]!();
  expect(await next).toBe('done');
});

import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createOriginTurns } from '../../../../src/services/catalogue/pictures/fetch-picture.ts';
import { createStandingClock } from '../../../fakes/clock.ts';

const { signal } = new AbortController();
setMaxListeners(0, signal);

function openTurns() {
  const clock = createStandingClock();
  const turns = createOriginTurns(clock);
  const begun: string[] = [];
  const open = new Map<string, (hasAnswered: boolean) => void>();
  return {
    clock,
    turns,
    begun,
    /** Begins, where it may, and ends with `end`. */
    begin: (address: string) =>
      turns(
        address,
        () => {
          begun.push(address);
          return new Promise((done) => open.set(address, done));
        },
        signal,
      ),
    end(address: string) {
      open.get(address)!(true);
    },
    /** Whether it was done at all. */
    async ask(address: string, hasAnswered: boolean): Promise<boolean> {
      let wasDone = false;
      await turns(
        address,
        async () => {
          wasDone = true;
          return hasAnswered;
        },
        signal,
      );
      return wasDone;
    },
  };
}

const turnsPassed = () => new Promise((done) => setImmediate(done));

test('two of one origin run, whatever the path, and another waits for none of them', async () => {
  const { begin, begun, end } = openTurns();
  for (let number = 0; number < 20; number++) void begin(`https://a.example/${number}`);
  void begin('https://b.example/');
  void begin('http://a.example/');
  await turnsPassed();
  expect(begun).toEqual(['https://a.example/0', 'https://a.example/1', 'https://b.example/', 'http://a.example/']);
  end('https://a.example/0');
  await turnsPassed();
  expect(begun.slice(4)).toEqual(['https://a.example/2']);
});

test('where all places are taken, origins that wait come in turn', async () => {
  const { begin, begun, end } = openTurns();
  for (let host = 0; host < 8; host++)
    for (let number = 0; number < 4; number++) void begin(`https://${host}.example/${number}`);
  for (let number = 0; number < 4; number++) void begin(`https://late.example/${number}`);
  await turnsPassed();
  expect(begun).toHaveLength(16);
  // Each that goes on waits behind the late one's two.
  for (const first of begun.slice(0, 3)) end(first);
  await turnsPassed();
  expect(begun.slice(16)).toEqual(['https://late.example/0', 'https://late.example/1', 'https://0.example/2']);
});

test('of one origin, and of all together, so many wait and no more', async () => {
  const { begin, begun } = openTurns();
  const refused: unknown[] = [];
  const beginOrNote = (address: string) => void begin(address).catch((error: unknown) => refused.push(error));
  for (let number = 0; number < 60; number++) beginOrNote(`https://a.example/${number}`);
  await turnsPassed();
  expect(refused).toHaveLength(8);
  for (let host = 0; host < 200; host++) beginOrNote(`https://${host}.example/`);
  await turnsPassed();
  // 2 and 200 have begun or have a place in the line.
  expect(begun).toHaveLength(16);
  expect(refused).toHaveLength(8);
  for (let host = 200; host < 300; host++) beginOrNote(`https://${host}.example/`);
  await turnsPassed();
  expect(refused).toHaveLength(8 + 86);
  for (const error of refused) expect(error).toMatchObject({ code: 'OUTBOUND_FAILED' });
});

test('an origin that fails rests twice as long each time, up to a day; one that answers begins anew', async () => {
  const { ask, clock } = openTurns();
  const address = 'https://a.example/';
  const restsFor = async (ms: number) => {
    clock.advance(ms - 1);
    expect(await ask(address, true)).toBe(false);
    clock.advance(1);
  };
  expect(await ask(address, false)).toBe(true);
  await restsFor(15_000);
  expect(await ask(address, false)).toBe(true);
  expect(await ask('https://b.example/', true)).toBe(true);
  await restsFor(30_000);
  expect(await ask(address, true)).toBe(true);
  expect(await ask(address, false)).toBe(true);
  await restsFor(15_000);
  for (let failures = 0; failures < 20; failures++) {
    clock.advance(24 * 3_600_000);
    expect(await ask(address, false)).toBe(true);
  }
  await restsFor(24 * 3_600_000);
});

test('those of an origin that failed together make it rest once', async () => {
  const { ask, clock } = openTurns();
  await Promise.all([ask('https://a.example/1', false), ask('https://a.example/2', false)]);
  clock.advance(15_000);
  expect(await ask('https://a.example/3', true)).toBe(true);
});

test('what waits ends with the signal', async () => {
  const { begin, turns } = openTurns();
  for (let number = 0; number < 2; number++) void begin(`https://a.example/${number}`);
  const stopper = new AbortController();
  const waiting = turns('https://a.example/3', async () => expect.unreachable(), stopper.signal);
  stopper.abort(new Error('the host is closing'));
  await expect(waiting).rejects.toThrow('the host is closing');
});

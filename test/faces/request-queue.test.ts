import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_WAITING_REQUESTS, queueRequests, START_MS } from '../../src/faces/request-queue.ts';

const request = (path: number | string, header = '') => `GET /${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n`;
const burst = (count: number, header = '') =>
  Array.from({ length: count }, (_, place) => request(place, header)).join('');

/** A server with the queue; `handled` has the paths in the order in which they were handled. */
async function serve(handle: RequestListener, unreadMs = 0) {
  const handled: string[] = [];
  let parsed = 0;
  const countParsed = () => parsed++;
  const server = createServer(countParsed).on('checkExpectation', countParsed).setTimeout(unreadMs);
  queueRequests(server, (request, response) => {
    handled.push(request.url!.slice(1));
    handle(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  return { handled, parsed: () => parsed, open: () => openSocket(port) };
}

function openSocket(port: number) {
  const socket: Socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  let text = '';
  const closed = new Promise<string>((done) => socket.once('close', () => done(text)));
  const read = () => socket.on('data', (chunk) => (text += chunk));
  return { socket, closed, read, text: () => text };
}

/** The paths that were answered, in the order of their answers. */
const answered = (text: string) => [...text.matchAll(/\r\n\r\n<([^>]*)>/g)].map(([, path]) => path);

test('requests of one connection are handled one at a time, in their order, with a turn between two', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(3), { minLength: 1, maxLength: MAX_WAITING_REQUESTS + 1 }), async (turns) => {
      let running = 0;
      let most = 0;
      let turn = 0;
      let isOpen = true;
      const countTurn = () => {
        turn++;
        if (isOpen) setImmediate(countTurn);
      };
      countTurn();
      const startedAt: number[] = [];
      const { handled, open } = await serve((request, response) => {
        startedAt.push(turn);
        most = Math.max(most, ++running);
        const wait = (left: number): void => {
          if (left > 0) return void setImmediate(() => wait(left - 1));
          running--;
          response.end(`<${request.url!.slice(1)}>`);
        };
        wait(turns[Number(request.url!.slice(1))]!);
      });
      const client = open();
      client.read();
      client.socket.write(burst(turns.length));
      const paths = turns.map((_, place) => `${place}`);
      await expect.poll(() => answered(client.text())).toEqual(paths);
      isOpen = false;
      expect(handled).toEqual(paths);
      expect(most).toBe(1);
      expect(new Set(startedAt).size).toBe(turns.length);
    }),
    { numRuns: 20 },
  );
});

test.each([
  [MAX_WAITING_REQUESTS + 2, ''],
  [50, ''],
  [2_000, ''],
  [20_000, ''],
  [2_000, 'Expect: 100-continue\r\n'],
  [2_000, 'Expect: the-unexpected\r\n'],
])('a burst of %i ends its connection (%j)', async (count, header) => {
  const { handled, parsed, open } = await serve((_, response) => setImmediate(() => response.end('<>')));
  const client = open();
  client.read();
  client.socket.write(burst(count, header));
  await client.closed;
  expect(handled.length).toBeLessThanOrEqual(1);
  // Node's parser stops there, too.
  expect(parsed()).toBe(MAX_WAITING_REQUESTS + 2);
  const next = open();
  next.read();
  next.socket.write(request('after'));
  await expect.poll(() => next.text()).toContain('<>');
});

test('requests of many connections share turns of a few milliseconds', async () => {
  const busyMs = START_MS / 2 + 0.5;
  const turns: number[] = [];
  let turn = 0;
  let isOpen = true;
  const countTurn = () => {
    turn++;
    if (isOpen) setImmediate(countTurn);
  };
  countTurn();
  const { handled, open } = await serve((_, response) => {
    turns.push(turn);
    for (const until = performance.now() + busyMs; performance.now() < until; );
    response.end('<>');
  });
  const clients = Array.from({ length: 40 }, open);
  for (const { socket } of clients) socket.write(burst(3));
  await expect.poll(() => handled).toHaveLength(120);
  isOpen = false;
  const startedIn = (wanted: number) => turns.filter((each) => each === wanted).length;
  // Two fit into a turn; the counter changes between those that arrive and those that waited.
  expect(Math.max(...turns.map(startedIn))).toBeLessThanOrEqual(4);
  expect(new Set(turns).size).toBeLessThan(120);
});

test('what waits behind a connection that was given up is not handled', async () => {
  const { handled, open } = await serve(() => undefined);
  const client = open();
  client.socket.write(burst(5));
  await expect.poll(() => handled).toEqual(['0']);
  client.socket.destroy();
  const next = open();
  next.socket.write(request('next'));
  await expect.poll(() => handled).toEqual(['0', 'next']);
});

test('a client that reads nothing is ended; one whose answer takes long is not', async () => {
  let finishLong = () => {};
  const { handled, open } = await serve((request, response) => {
    if (request.url === '/long') finishLong = () => response.end('<long>');
    else response.end(Buffer.alloc(50_000_000));
  }, 100);
  const long = open();
  long.read();
  long.socket.write(request('long'));
  const deaf = open();
  deaf.socket.write(request('much'));
  deaf.socket.pause();
  await expect.poll(() => handled).toHaveLength(2);
  const ended = new Promise((done) => deaf.socket.once('error', done).once('close', done));
  // A paused socket notices the end once it sends again.
  const knock = setInterval(() => deaf.socket.write('x'), 20);
  await ended;
  clearInterval(knock);
  finishLong();
  await expect.poll(() => long.text()).toContain('<long>');
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createAbortSignal } from '../../src/faces/abort-signal.ts';

/** A host whose handler tells the test of each response, and answers when told to. */
async function startHost() {
  const responses: Response[] = [];
  const app = express().get('/', (_request, response) => void responses.push(response));
  const server = createServer(app);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async ask() {
      const caller = new AbortController();
      const answer = fetch(url, { signal: caller.signal }).catch(() => null);
      await expect.poll(() => responses).toHaveLength(1);
      return { response: responses[0]!, leave: () => caller.abort(), answer };
    },
  };
}

test('whoever leaves is no longer worked for', async () => {
  const { response, leave } = await (await startHost()).ask();
  const signal = createAbortSignal(response);
  expect(signal.aborted).toBe(false);
  leave();
  await expect.poll(() => signal.aborted).toBe(true);
});

test('whoever had left before is not worked for at all', async () => {
  const { response, leave } = await (await startHost()).ask();
  leave();
  await expect.poll(() => response.closed).toBe(true);
  expect(createAbortSignal(response).aborted).toBe(true);
});

test('whoever got the answer has not left', async () => {
  const { response, answer } = await (await startHost()).ask();
  const signal = createAbortSignal(response);
  response.end('here it is');
  expect(await (await answer)?.text()).toBe('here it is');
  await expect.poll(() => response.closed).toBe(true);
  expect(signal.aborted).toBe(false);
});

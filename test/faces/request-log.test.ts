import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRequestLog } from '../../src/faces/request-log.ts';

const lines: string[] = [];
const server = createServer(
  express()
    .use(createRequestLog(pino({}, { write: (line: string) => void lines.push(line) })))
    .use((_request, response) => void response.end()),
);
beforeEach(async () => {
  lines.length = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise<void>((resolve) => server.close(() => resolve()));
});

async function loggedUrl(path: string): Promise<string> {
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  await expect.poll(() => lines).toHaveLength(1);
  return (JSON.parse(lines[0]!) as { req: { url: string } }).req.url;
}

test.each([
  ['/admin/feedback?q=ada%40example.org', '/admin/feedback?q=…'],
  ['/Admin/Feedback/?state=parked&q=ada@example.org&tenant=a', '/Admin/Feedback/?state=parked&q=…&tenant=a'],
  ['/admin/feedback?q=ada@example.org&q=eve@example.org', '/admin/feedback?q=…&q=…'],
  ['/admin/sign-in?next=%2Fadmin%2Ffeedback%3Fq%3Dada%2540example.org', '/admin/sign-in?next=…'],
  ['/admin/link/secret', '/admin/link/…'],
  ['/admin/connect/secret', '/admin/connect/…'],
  ['/oauth/authorize?client_id=a&state=secret', '/oauth/authorize?…'],
  ['/lti/register?token=a&registration_token=b', '/lti/register?…'],
  ['/LTI/picker?launch=secret', '/LTI/picker?…'],
  ['/admin/oidc/callback?code=abc&state=x', '/admin/oidc/callback?…'],
])('%s is written as %s', async (path, written) => {
  expect(await loggedUrl(path)).toBe(written);
});

test.each(['/?q=python', '/admin/feedback?state=parked', '/admin/audit?q=upstream', '/admin/sign-in'])(
  '%s is written as it is',
  async (path) => {
    expect(await loggedUrl(path)).toBe(path);
  },
);

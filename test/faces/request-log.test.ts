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
  ['/?q=python', '/?q=…'],
  ['/my-data?key=secret', '/my-data?key=…'],
  ['/?python', '/?…'],
  ['/plans/secret/csv', '/plans/…/csv'],
  ['/admin/feedback?q=ada%40example.org', '/admin/feedback?q=…'],
  ['/Admin/Feedback/?state=parked&q=ada@example.org&tenant=a', '/Admin/Feedback/?state=…&q=…&tenant=…'],
  ['/admin/feedback?q=ada@example.org&q=eve@example.org', '/admin/feedback?q=…&q=…'],
  ['/admin/sign-in?next=%2Fadmin%2Ffeedback%3Fq%3Dada%2540example.org', '/admin/sign-in?next=…'],
  ['/admin/link/secret', '/admin/link/…'],
  ['/admin/connect/secret', '/admin/connect/…'],
  ['/oauth/authorize?client_id=a&state=secret', '/oauth/authorize?client_id=…&state=…'],
  ['/lti/register?token=a&registration_token=b', '/lti/register?token=…&registration_token=…'],
  ['/LTI/picker?launch=secret', '/LTI/picker?launch=…'],
  ['/admin/oidc/callback?code=abc&state=x', '/admin/oidc/callback?code=…&state=…'],
])('%s is written as %s', async (path, written) => {
  expect(await loggedUrl(path)).toBe(written);
});

test('an address without a query is written as it is', async () => {
  expect(await loggedUrl('/admin/sign-in')).toBe('/admin/sign-in');
});

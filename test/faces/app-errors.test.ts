import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { AppError, type AppErrorOptions } from '../../src/errors.ts';
import { beginErrorAnswer } from '../../src/faces/app-errors.ts';

/** What anyone is told of an upstream that allows no more; only the parts of a request and its response that are used. */
function messageOf(options: AppErrorOptions): string {
  const response = { status: () => response, set: () => response } as unknown as Response;
  const request = { id: 'r1', log: { error: () => {} } } as unknown as Request;
  const error = new AppError('UPSTREAM_THROTTLED', 'api.example.org allows no more.', options);
  return beginErrorAnswer(error, request, response).message;
}

test.each([
  [
    { data: { limit: 5, windowMs: 1_000 }, retryAfterSeconds: 1 },
    'The key of this host at the service behind it allows 5 requests a second. Try again in 1 s.',
  ],
  [
    { data: { limit: 1, windowMs: 60_000 }, retryAfterSeconds: 40 },
    'The key of this host at the service behind it allows 1 request a minute. Try again in 40 s.',
  ],
  [
    { data: { limit: 1_000, windowMs: 86_400_000 } },
    'The key of this host at the service behind it allows 1,000 requests a day. Try again later.',
  ],
  [
    { data: { limit: 20, windowMs: 9_500 } },
    'The key of this host at the service behind it allows 20 requests in 10 s. Try again later.',
  ],
  [
    { data: { limit: '5', windowMs: 1_000 }, retryAfterSeconds: 3 },
    'The service behind this host allows no more requests at the moment. Try again in 3 s.',
  ],
  [{}, 'The service behind this host allows no more requests at the moment. Try again later.'],
])('what a key allows is told as far as it is known: %j', (options, message) => {
  expect(messageOf(options)).toBe(message);
});

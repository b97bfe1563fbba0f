import { expect } from 'vitest';
import { errorResponse } from '../../../src/contract/index.ts';

/** The error of an answer, checked against its schema and its own status. */
export async function errorOf(response: Response) {
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('cache-control')).toContain('no-store');
  const body = errorResponse.parse(await response.json());
  expect(body.statusCode).toBe(response.status);
  expect(body.reference).toMatch(/\S/);
  return body;
}

import { expect, test } from 'vitest';
import { toTransportError } from '../../../src/adapters/remote/transport-errors.ts';
import { aCall } from './policies/calls.ts';

const errorOf = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

test.each([
  ['ECONNREFUSED', 'UPSTREAM_UNREACHABLE', 'unmade'],
  ['ENOTFOUND', 'UPSTREAM_UNREACHABLE', 'unmade'],
  ['UND_ERR_CONNECT_TIMEOUT', 'UPSTREAM_UNREACHABLE', 'late'],
  ['ECONNRESET', 'UPSTREAM_UNREACHABLE', 'broken'],
  ['CERT_HAS_EXPIRED', 'UPSTREAM_UNREACHABLE', 'hopeless'],
  ['ETIMEDOUT', 'UPSTREAM_TIMEOUT', undefined],
  ['UND_ERR_HEADERS_TIMEOUT', 'UPSTREAM_TIMEOUT', undefined],
  ['HPE_INVALID_CONSTANT', 'RESPONSE_INVALID', undefined],
])('%s is %s, the connection %s', (code, expected, connection) => {
  const error = toTransportError(errorOf(code), aCall());
  expect(error.code).toBe(expected);
  expect(error.data.connection).toBe(connection);
});

test('the last of several addresses gives the reason', () => {
  const errors = [errorOf('ETIMEDOUT'), errorOf('ECONNREFUSED')];
  const error = toTransportError(Object.assign(new AggregateError(errors), { code: 'ETIMEDOUT' }), aCall());
  expect(error).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', data: { connection: 'unmade' } });
});

import { expect, test } from 'vitest';
import { createRequestIds } from '../../../src/adapters/local/request-ids.ts';
import { createStandingClock } from './services.ts';

const clock = createStandingClock();
const ids = createRequestIds(Buffer.from('secret'), clock);

const codeOf = (requestId: string) => {
  try {
    ids.verify(requestId);
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('an id proves itself, is short and fit for an address, and never comes twice', () => {
  const issued = [ids.issue(), ids.issue()];
  for (const id of issued) {
    expect(codeOf(id)).toBe('accepted');
    expect(id).toMatch(/^[\w.-]{20,60}$/);
  }
  expect(issued[0]).not.toBe(issued[1]);
});

test('an id of which one character was changed is refused, whichever it is', () => {
  const id = ids.issue();
  for (let i = 0; i < id.length; i++) {
    const other = id[i] === 'a' ? 'b' : 'a';
    expect(codeOf(id.slice(0, i) + other + id.slice(i + 1))).toBe('REQUEST_ID_INVALID');
  }
});

test.each([
  '',
  '.',
  '..',
  'a.b.c',
  'made up',
  '0.00000000.0000000000000000',
  '💣',
  '-1.AAAAAAAA.AAAAAAAAAAAAAAAA',
])('%j is refused', (id) => {
  expect(codeOf(id)).toBe('REQUEST_ID_INVALID');
});

test('an id with something before or behind it is refused', () => {
  const id = ids.issue();
  for (const wrong of [`${id}\n`, ` ${id}`, `${id}=`, id.slice(0, -1), id.toUpperCase()]) {
    expect(codeOf(wrong)).toBe('REQUEST_ID_INVALID');
  }
});

test('an id under another secret is refused', () => {
  expect(codeOf(createRequestIds(Buffer.from('secret '), clock).issue())).toBe('REQUEST_ID_INVALID');
});

test('an id under the secret before is proved by whoever knows that one too', () => {
  const old = createRequestIds(Buffer.from('secret before'), clock).issue();
  const after = createRequestIds(Buffer.from('secret'), clock, [
    Buffer.from('another'),
    Buffer.from('secret before'),
  ]);
  expect(() => after.verify(old)).not.toThrow();
  expect(() => after.verify(after.issue())).not.toThrow();
  expect(codeOf(after.issue())).toBe('accepted');
  expect(codeOf(old)).toBe('REQUEST_ID_INVALID');
});

test('an id is good for 90 days, on every host with the secret, and the refusal says why', () => {
  clock.set('2026-03-01T10:00:00.000Z');
  const id = createRequestIds(Buffer.from('secret'), clock).issue();
  clock.set('2026-05-30T10:00:00.000Z');
  expect(codeOf(id)).toBe('accepted');
  clock.set('2026-05-30T10:00:00.001Z');
  expect(() => ids.verify(id)).toThrow(/90 days/);
});

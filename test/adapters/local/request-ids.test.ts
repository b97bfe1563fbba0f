import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRequestIds } from '../../../src/adapters/local/request-ids.ts';
import { MAX_REQUEST_ID_LENGTH } from '../../../src/domain/feedback.ts';
import { propertyRuns } from '../../helpers/draw.ts';
import { createStandingClock } from './services.ts';

const clock = createStandingClock();
const ids = createRequestIds(Buffer.from('secret'), clock);

const url = 'https://example.org/python';
const returned = [{ url }];

const codeOf = (requestId: string, given = url) => {
  try {
    ids.verify({ requestId, url: given });
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('issues ids that are valid, short, unique and safe in addresses', () => {
  const issued = [ids.issue(returned), ids.issue(returned)];
  for (const id of issued) {
    expect(codeOf(id)).toBe('accepted');
    expect(id).toMatch(/^[\w.-]{20,60}$/);
  }
  expect(issued[0]).not.toBe(issued[1]);
});

test('is of the tenant that searched; one of no tenant, as earlier versions issued it, of all', () => {
  const isTaken = (issuedTo: string | undefined, tenantId: string | undefined) => {
    try {
      ids.verify({ requestId: ids.issue(returned, issuedTo), url }, tenantId);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(fc.string(), fc.string(), (issuedTo, tenantId) => {
      expect(isTaken(issuedTo, tenantId)).toBe(issuedTo === tenantId || issuedTo === '');
    }),
  );
  expect(isTaken('a', undefined)).toBe(false);
  expect(isTaken(undefined, 'a')).toBe(true);
});

test('refuses an id with any character changed', () => {
  const id = ids.issue(returned);
  for (let i = 0; i < id.length; i++) {
    const other = id[i] === 'a' ? 'b' : 'a';
    expect(codeOf(id.slice(0, i) + other + id.slice(i + 1))).toBe('REQUEST_ID_INVALID');
  }
});

test.each(['', '.', '..', 'a.b.c', 'made up', '0.00000000.0000000000000000', '💣', '-1.AAAAAAAA.AAAAAAAAAAAAAAAA'])(
  '%j is refused',
  (id) => {
    expect(codeOf(id)).toBe('REQUEST_ID_INVALID');
  },
);

test('refuses an id with additional characters', () => {
  const id = ids.issue(returned);
  for (const wrong of [`${id}\n`, ` ${id}`, `${id}=`, id.slice(0, -1), id.toUpperCase()]) {
    expect(codeOf(wrong)).toBe('REQUEST_ID_INVALID');
  }
});

test('refuses an id under another secret', () => {
  expect(codeOf(createRequestIds(Buffer.from('secret '), clock).issue(returned))).toBe('REQUEST_ID_INVALID');
});

test('accepts an id under an earlier secret', () => {
  const old = createRequestIds(Buffer.from('secret before'), clock).issue(returned);
  const after = createRequestIds(Buffer.from('secret'), clock, [Buffer.from('another'), Buffer.from('secret before')]);
  expect(() => after.verify({ requestId: old, url })).not.toThrow();
  expect(() => after.verify({ requestId: after.issue(returned), url })).not.toThrow();
  expect(codeOf(after.issue(returned))).toBe('accepted');
  expect(codeOf(old)).toBe('REQUEST_ID_INVALID');
});

test('accepts an id for 90 days on every host with the secret, and explains a refusal', () => {
  clock.set('2026-03-01T10:00:00.000Z');
  const id = createRequestIds(Buffer.from('secret'), clock).issue(returned);
  clock.set('2026-05-30T10:00:00.000Z');
  expect(codeOf(id)).toBe('accepted');
  clock.set('2026-05-30T10:00:00.001Z');
  expect(() => ids.verify({ requestId: id, url })).toThrow(/90 days/);
});

describe('an id is valid for the results of its search', () => {
  const page = Array.from({ length: 20 }, (_, at) => ({ url: `https://example.org/lesson/${at}?a=1&b=2` }));

  test('in every spelling of an address', () => {
    const id = ids.issue(page);
    for (const { url } of page) expect(codeOf(id, url)).toBe('accepted');
    for (const same of [
      'http://www.example.org/lesson/7?b=2&a=1',
      'https://EXAMPLE.org:443/lesson/7/?a=1&b=2&utm_source=mail#part',
    ])
      expect(codeOf(id, same)).toBe('accepted');
  });

  test('with any addresses', () => {
    const anyUrls = fc.array(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()), {
      maxLength: 50,
    });
    fc.assert(
      fc.property(anyUrls, (urls) => {
        const id = ids.issue(urls.map((each) => ({ url: each })));
        expect(id.length).toBeLessThanOrEqual(MAX_REQUEST_ID_LENGTH);
        for (const each of urls) expect(codeOf(id, each)).toBe('accepted');
      }),
      propertyRuns(200),
    );
  });

  test('and for at most one other address in a thousand', () => {
    const id = ids.issue(page);
    const others = Array.from({ length: 20_000 }, (_, at) => `https://other.example/${at}`);
    const passed = others.filter((other) => codeOf(id, other) === 'accepted');
    // 6 are expected.
    expect(passed.length).toBeLessThanOrEqual(20);
  });

  test('and the refusal says what to send', () => {
    const other = { requestId: ids.issue(page), url: 'https://other.example/' };
    expect(() => ids.verify(other)).toThrow(/did not return .* at this url.*each page/);
  });

  test('and for nothing if there were none', () => {
    const id = ids.issue([]);
    expect(id.length).toBeLessThanOrEqual(60);
    expect(codeOf(id)).toBe('REQUEST_ID_INVALID');
  });

  test('also under an earlier secret', () => {
    const old = createRequestIds(Buffer.from('secret before'), clock).issue(page);
    const after = createRequestIds(Buffer.from('secret'), clock, [Buffer.from('secret before')]);
    for (const { url } of page) expect(() => after.verify({ requestId: old, url })).not.toThrow();
    expect(() => after.verify({ requestId: old, url: 'https://other.example/' })).toThrow(/did not return/);
  });

  test('and the marks of results can be neither removed nor exchanged', () => {
    const [time, nonce, , signature] = ids.issue(page).split('.');
    const [, , others] = ids.issue(returned).split('.');
    for (const wrong of [
      [time, nonce, signature],
      [time, nonce, others, signature],
      [time, nonce, '', signature],
    ])
      expect(codeOf(wrong.join('.'))).toBe('REQUEST_ID_INVALID');
  });

  test('an id of more results than fit is valid for any address', () => {
    const id = ids.issue(Array.from({ length: 61 }, (_, at) => ({ url: `https://example.org/${at}` })));
    expect(codeOf(id, 'https://example.org/60')).toBe('accepted');
    expect(codeOf(id, 'https://other.example/')).toBe('accepted');
  });
});

test('accepts an id without marks', () => {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const body = `${clock.now().getTime().toString(36)}.AAAAAAAA`;
  const signature = hmac(hmac('secret', 'skilldock request id'), body).subarray(0, 12).toString('base64url');
  expect(codeOf(`${body}.${signature}`, 'https://anywhere.example/')).toBe('accepted');
});

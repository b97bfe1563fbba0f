import type { LookupAddress } from 'node:dns';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createGuardedConnector,
  guardLookup,
  isPublicAddress,
  type LookupAll,
} from '../../../src/adapters/remote/guarded-connector.ts';
import { createUpstreams } from '../../../src/adapters/remote/upstreams.ts';
import { type FakeUpstream, startFakeUpstream, UPSTREAM_KEY } from '../../fakes/upstream.ts';

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '193.0.0.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:800::200e',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['this network', ['0.0.0.0', '0.1.2.3']],
  ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1']],
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  ['link-local', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1']],
  ['site-local', ['fec0::1']],
  ['unique-local', ['fc00::1', 'fd12:3456::1']],
  ['shared by a carrier', ['100.64.0.1', '100.127.255.255']],
  ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1']],
  ['reserved and documentation', ['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1']],
  [
    'reserved and broadcast',
    ['240.0.0.1', '255.255.255.255', '2001:db8::1', '3fff::1', '4000::1', '5f00::1'],
  ],
  ['an IPv4 address in an IPv6 one', ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1']],
  ['translated', ['64:ff9b::a00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '::ffff:0:7f00:1']],
  ['tunnelled', ['2002:7f00:1::', '2001:0:7f00:1::']],
  ['unspecified and discarded', ['::', '100::1']],
  [
    'none, or not written as sockets write it',
    ['', '127.1', '0x7f000001', '2130706433', '010.0.0.1', 'a.b', '[::1]'],
  ],
])('%s is not public', (_what, addresses) => {
  for (const address of addresses) expect(isPublicAddress(address), address).toBe(false);
});

let upstream: FakeUpstream;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
beforeEach(() => {
  upstream.requests.length = 0;
});
afterAll(() => upstream.close());

/** A resolver that gives these answers one after another, the last one for good. */
function resolver(...answers: (readonly string[])[]) {
  return vi.fn<LookupAll>((_hostname, _options, callback) => {
    const addresses = answers.length > 1 ? answers.shift()! : answers[0]!;
    callback(null, addresses.map(toLookupAddress));
  });
}

function toLookupAddress(address: string): LookupAddress {
  return { address, family: address.includes(':') ? 6 : 4 };
}

async function withUpstreams<T>(
  options: { allowPrivate: boolean; lookup?: LookupAll },
  work: (upstreams: ReturnType<typeof createUpstreams>) => Promise<T>,
): Promise<T> {
  const upstreams = createUpstreams(options);
  try {
    return await work(upstreams);
  } finally {
    await upstreams.close();
  }
}

const refusal = { code: 'UPSTREAM_ADDRESS_REFUSED', kind: 'invalid' };

describe('addresses in the URL', () => {
  const port = () => new URL(upstream.url).port;

  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[::]',
  ])('%s is refused and not called', async (host) => {
    await withUpstreams({ allowPrivate: false }, async ({ connect }) => {
      const listed = connect({ url: `http://${host}:${port()}` }).listProviders();
      await expect(listed).rejects.toMatchObject(refusal);
    });
    expect(upstream.requests).toEqual([]);
  });

  test.each(['127.0.0.1', '127.1', '0x7f000001', '[::ffff:127.0.0.1]'])(
    '%s is called where private addresses are allowed',
    async (host) => {
      await withUpstreams({ allowPrivate: true }, async ({ connect }) => {
        expect(await connect({ url: `http://${host}:${port()}` }).listProviders()).toHaveLength(2);
      });
    },
  );

  test.each([
    'ftp://api.example.org',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'api.example.org',
    '',
    'https://ada:secret@api.example.org',
    'https://secret@api.example.org',
    'https://api.example.org?key=secret',
    'https://api.example.org#secret',
    'http://[fe80::1%25eth0]',
    'http://256.1.1.1',
  ])('%s is refused without being repeated', async (url) => {
    await withUpstreams({ allowPrivate: true }, async ({ connect }) => {
      const error: Error = await connect({ url, apiKey: 'k' })
        .suggest({ keywords: 'a' })
        .then(
          () => expect.unreachable(),
          (thrown: Error) => thrown,
        );
      expect(error).toMatchObject(refusal);
      expect(error.message).not.toContain('secret');
    });
  });
});

describe('names', () => {
  test('that resolve to a private address are refused and not called', async () => {
    const port = new URL(upstream.url).port;
    for (const answer of [['127.0.0.1'], ['::1'], ['10.0.0.1'], ['::ffff:127.0.0.1']]) {
      await withUpstreams({ allowPrivate: false, lookup: resolver(answer) }, async ({ connect }) => {
        const listed = connect({ url: `http://service.example:${port}` }).listProviders();
        const error: Error = await listed.then(
          () => expect.unreachable(),
          (thrown: Error) => thrown,
        );
        expect(error).toMatchObject(refusal);
        expect(error.message).not.toContain(answer[0]);
      });
    }
    expect(upstream.requests).toEqual([]);
  });

  test('of this machine are refused by the system’s own resolver', async () => {
    const port = new URL(upstream.url).port;
    await withUpstreams({ allowPrivate: false }, async ({ connect }) => {
      const listed = connect({ url: `http://localhost:${port}` }).listTypes();
      await expect(listed).rejects.toMatchObject(refusal);
    });
  });

  test('with public and private addresses are refused: all must be public', async () => {
    for (const answer of [
      ['1.1.1.1', '10.0.0.1'],
      ['127.0.0.1', '1.1.1.1'],
      ['2606:4700::1', '1.1.1.1', 'fd00::1'],
    ]) {
      const guarded = guardLookup(isPublicAddress, resolver(answer));
      const callback = vi.fn();
      guarded('service.example', { all: true }, callback);
      expect(callback.mock.calls[0]![0], answer.join()).toMatchObject(refusal);
    }
  });

  test('give all addresses or the first, as is asked', () => {
    const guarded = guardLookup(isPublicAddress, resolver(['1.1.1.1', '2606:4700::1']));
    const callback = vi.fn();
    guarded('service.example', { all: true }, callback);
    guarded('service.example', {}, callback);
    expect(callback.mock.calls).toEqual([
      [null, ['1.1.1.1', '2606:4700::1'].map(toLookupAddress)],
      [null, '1.1.1.1', 4],
    ]);
  });

  test('without an address are unreachable', async () => {
    await withUpstreams({ allowPrivate: false, lookup: resolver([]) }, async ({ connect }) => {
      const listed = connect({ url: 'http://service.example' }).listTypes();
      await expect(listed).rejects.toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    });
  });

  test('are resolved once a connection: the checked address is the one connected to', async () => {
    const lookup = resolver(['127.0.0.1'], ['127.0.0.2']);
    const isAllowed = vi.fn((address: string) => address === '127.0.0.1');
    const agent = new Agent({ connect: createGuardedConnector({ isAllowed, timeoutMs: 10_000, lookup }) });
    const url = `http://service.example:${new URL(upstream.url).port}/learningobject/v2/type`;
    const { statusCode, body } = await request(url, { dispatcher: agent });
    await body.dump();
    expect(statusCode).toBe(200);
    expect(lookup).toHaveBeenCalledTimes(1);
    expect(isAllowed.mock.calls).toEqual([['127.0.0.1']]);
    expect(upstream.requests[0]!.headers.host).toContain('service.example');
    await agent.destroy();

    // A new connection asks again, and is checked again.
    const second = new Agent({ connect: createGuardedConnector({ isAllowed, timeoutMs: 10_000, lookup }) });
    await expect(request(url, { dispatcher: second })).rejects.toMatchObject(refusal);
    await second.destroy();
  });

  test('a redirect to another name is not even resolved', async () => {
    upstream.reply('suggest', { status: 307, headers: { location: 'http://internal.example/' } });
    const lookup = resolver(['127.0.0.1']);
    await withUpstreams({ allowPrivate: true, lookup }, async ({ connect }) => {
      const url = `http://service.example:${new URL(upstream.url).port}`;
      const asked = connect({ url, apiKey: UPSTREAM_KEY }).suggest({ keywords: 'a' });
      await expect(asked).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' });
    });
    expect(lookup.mock.calls.map(([hostname]) => hostname)).toEqual(['service.example']);
    upstream.reply('suggest');
  });
});

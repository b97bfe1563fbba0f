import type { LookupAddress } from 'node:dns';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGuardedConnector, guardLookup } from '../../../src/adapters/remote/guarded-connector.ts';
import type { LookupAll } from '../../../src/adapters/remote/resolve-name.ts';
import { createUpstreams, type UpstreamsOptions } from '../../../src/adapters/remote/upstreams.ts';
import { isPublicAddress } from '../../../src/domain/address-kinds.ts';
import { noPrivateAccess, type PrivateAccess, parsePrivateHosts } from '../../../src/domain/private-hosts.ts';
import { type FakeUpstream, startFakeUpstream, UPSTREAM_KEY } from '../../fakes/upstream.ts';
import { loopbackAccess } from '../../helpers/private-access.ts';

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
  options: UpstreamsOptions,
  work: (upstreams: ReturnType<typeof createUpstreams>) => Promise<T>,
): Promise<T> {
  const upstreams = createUpstreams(options);
  try {
    return await work(upstreams);
  } finally {
    await upstreams.close();
  }
}

function listing(hosts: string): PrivateAccess {
  return { hosts: parsePrivateHosts(hosts)!, isOpenToOwners: false };
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
    await withUpstreams({ privateAccess: noPrivateAccess }, async ({ connect }) => {
      const listed = connect({ url: `http://${host}:${port()}` }).ask('listProviders', {});
      await expect(listed).rejects.toMatchObject(refusal);
    });
    expect(upstream.requests).toEqual([]);
  });

  test.each(['127.0.0.1', '127.1', '0x7f000001', '2130706433', '127.0.0.1.'])(
    '%s is called where 127.0.0.1 is on the list of the operator, on that port only',
    async (host) => {
      const listPort = async (listed: string) => {
        const privateAccess = listing(`127.0.0.1:${listed}`);
        return withUpstreams({ privateAccess }, ({ connect }) =>
          connect({ url: `http://${host}:${port()}` }).ask('listProviders', {}),
        );
      };
      expect(await listPort(port())).toHaveLength(2);
      await expect(listPort('1')).rejects.toMatchObject(refusal);
    },
  );

  test.each(['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::127.0.0.1]', '0.0.0.0', '[::]', 'localhost'])(
    '%s is another host than 127.0.0.1, on a list as well',
    async (host) => {
      await withUpstreams({ privateAccess: listing('127.0.0.1') }, async ({ connect }) => {
        const listed = connect({ url: `http://${host}:${port()}` }).ask('listProviders', {});
        await expect(listed).rejects.toMatchObject(refusal);
      });
    },
  );

  test('a private one is called for what an owner entered, and for nobody else, also over a connection that is open', async () => {
    const privateAccess = { hosts: [], isOpenToOwners: true };
    await withUpstreams({ privateAccess }, async ({ connect, test }) => {
      const url = upstream.url;
      const ofOwner = connect({ url, isEnteredByOwner: true });
      expect(await ofOwner.ask('listProviders', {})).toHaveLength(2);
      for (const ofManager of [connect({ url }), connect({ url, isEnteredByOwner: false })])
        await expect(ofManager.ask('listProviders', {})).rejects.toMatchObject(refusal);
      for (const { outcome } of await test({ url })) expect(outcome).toBe('address-refused');
      const [first] = await test({ url, isEnteredByOwner: true });
      expect(first).toMatchObject({ outcome: 'ok' });
    });
    await withUpstreams({ privateAccess: noPrivateAccess }, async ({ connect }) => {
      const listed = connect({ url: upstream.url, isEnteredByOwner: true }).ask('listProviders', {});
      await expect(listed).rejects.toMatchObject(refusal);
    });
  });

  test("state of an owner's address is separate from that of others", async () => {
    const policies = { maxFailures: 2, maxRetries: 0 };
    await withUpstreams({ privateAccess: { hosts: [], isOpenToOwners: true }, policies }, async ({ connect }) => {
      const ofOwner = connect({ url: upstream.url, isEnteredByOwner: true });
      const ofManager = connect({ url: upstream.url });
      upstream.reply('provider', { status: 500 }, { status: 500 });
      for (const code of ['UPSTREAM_FAILED', 'UPSTREAM_FAILED', 'UPSTREAM_PAUSED'])
        await expect(ofOwner.ask('listProviders', {})).rejects.toMatchObject({ code });
      await expect(ofManager.ask('listProviders', {})).rejects.toMatchObject(refusal);
    });
  });

  test.each([
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '169.254.43518',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '168.63.129.16',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '0.0.0.0',
  ])('%s is refused, whatever the operator allows', async (host) => {
    const privateAccess = { ...listing(host), isOpenToOwners: true };
    await withUpstreams({ privateAccess }, async ({ connect }) => {
      const service = connect({ url: `http://${host}`, isEnteredByOwner: true });
      await expect(service.ask('listProviders', {})).rejects.toMatchObject(refusal);
    });
  });

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
    await withUpstreams({ privateAccess: loopbackAccess }, async ({ connect }) => {
      const error: Error = await connect({ url, apiKey: 'k' })
        .ask('suggest', { keywords: 'a' })
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
      await withUpstreams({ privateAccess: noPrivateAccess, lookup: resolver(answer) }, async ({ connect }) => {
        const listed = connect({ url: `http://service.example:${port}` }).ask('listProviders', {});
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
    await withUpstreams({ privateAccess: noPrivateAccess }, async ({ connect }) => {
      const listed = connect({ url: `http://localhost:${port}` }).ask('listTypes', {});
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

  test('on the list are called at their private addresses, never at closed ones, also when they turn', async () => {
    const { port } = new URL(upstream.url);
    const lookup = resolver(['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1', 'fd00:ec2::254']);
    for (const isCalled of [true, false, false]) {
      // A host each, as connections are kept open.
      await withUpstreams({ privateAccess: listing(`service.example:${port}`), lookup }, async ({ connect }) => {
        const listed = connect({ url: `http://service.example:${port}` }).ask('listTypes', {});
        if (isCalled) await listed;
        else await expect(listed).rejects.toMatchObject(refusal);
      });
    }
    await withUpstreams({ privateAccess: listing(`service.example:${port}`), lookup }, async ({ connect }) => {
      const other = connect({ url: `http://other.example:${port}` }).ask('listTypes', {});
      await expect(other).rejects.toMatchObject(refusal);
    });
  });

  test('that an owner entered are not called where they stand for the metadata of a cloud', async () => {
    for (const answer of [['169.254.169.254'], ['fd00:ec2::254'], ['10.0.0.1', '100.100.100.200']]) {
      const privateAccess = { hosts: [], isOpenToOwners: true };
      await withUpstreams({ privateAccess, lookup: resolver(answer) }, async ({ connect }) => {
        const listed = connect({
          url: 'http://metadata.google.internal',
          isEnteredByOwner: true,
        }).ask('listTypes', {});
        await expect(listed).rejects.toMatchObject(refusal);
      });
    }
  });

  test('give all addresses or the first, as requested', () => {
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
    await withUpstreams({ privateAccess: noPrivateAccess, lookup: resolver([]) }, async ({ connect }) => {
      const listed = connect({ url: 'http://service.example' }).ask('listTypes', {});
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
    await withUpstreams({ privateAccess: listing('service.example'), lookup }, async ({ connect }) => {
      const url = `http://service.example:${new URL(upstream.url).port}`;
      const asked = connect({ url, apiKey: UPSTREAM_KEY }).ask('suggest', { keywords: 'a' });
      await expect(asked).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' });
    });
    expect(lookup.mock.calls.map(([hostname]) => hostname)).toEqual(['service.example']);
    upstream.reply('suggest');
  });
});

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createOutbound, type OutboundOptions } from '../../../src/adapters/remote/outbound.ts';
import type { LookupAll } from '../../../src/adapters/remote/resolve-name.ts';
import { noPrivateAccess, type PrivateAccess, parsePrivateHosts } from '../../../src/domain/private-hosts.ts';
import type { Outbound } from '../../../src/ports/outbound.ts';

let server: Server;
let origin: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const seen: { method: string; url: string; userAgent: string; body: string }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, userAgent: headers['user-agent'] ?? '', body });
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen.length = 0;
  answer = (_request, response) => response.setHeader('x-answer', 'yes').end('hello');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function calling<T>(options: Partial<OutboundOptions>, work: (outbound: Outbound) => Promise<T>) {
  const outbound = createOutbound({
    allowLoopback: false,
    privateAccess: noPrivateAccess,
    version: '1.2.3',
    ...options,
  });
  try {
    return await work(outbound);
  } finally {
    await outbound.close();
  }
}

const onLoopback = { allowLoopback: true };
const get = (url: string, options: Partial<OutboundOptions> = onLoopback) =>
  calling(options, (outbound) => outbound.request(url));

describe('an answer', () => {
  test('has status, headers and text, and the request names this program', async () => {
    const got = await get(`${origin}/keys`);
    expect(got).toMatchObject({ status: 200, headers: { 'x-answer': 'yes' }, text: 'hello' });
    expect(seen).toMatchObject([{ method: 'GET', url: '/keys', userAgent: 'Skilldock/1.2.3' }]);
  });

  test('comes to a POST', async () => {
    const body = 'grant_type=client_credentials';
    await calling(onLoopback, (outbound) => outbound.request(origin, { method: 'POST', body }));
    expect(seen).toMatchObject([{ method: 'POST', body }]);
  });

  test('may have any status, and redirects are not followed', async () => {
    answer = (_request, response) => response.writeHead(302, { location: `${origin}/elsewhere` }).end();
    expect(await get(origin)).toMatchObject({ status: 302, headers: { location: `${origin}/elsewhere` } });
    expect(seen).toHaveLength(1);
  });
});

describe('a reader of public pages', () => {
  const reading = { ...onLoopback, allowHttp: true };

  test('follows a limited number of redirects, and gives the last address', async () => {
    answer = ({ url }, response) =>
      url === '/c'
        ? response.end('there')
        : response.writeHead(302, { location: url === '/a' ? '/b' : `${origin}/c` }).end();
    const ask = (redirects: number) => calling(reading, (outbound) => outbound.request(`${origin}/a`, { redirects }));
    expect(await ask(2)).toMatchObject({ status: 200, text: 'there', url: `${origin}/c` });
    await expect(ask(1)).rejects.toMatchObject({ code: 'OUTBOUND_FAILED', data: { failure: 'redirects' } });
    await calling(reading, (outbound) => outbound.request(`${origin}/a`, { redirects: 2, method: 'POST' }));
    expect(seen.at(-1)).toMatchObject({ method: 'POST', url: '/a' });
  });

  test.each(['http://10.0.0.1/', 'https://169.254.169.254/latest', 'file:///etc/passwd', 'https://a:b@lms.example'])(
    'follows none to %s',
    async (location) => {
      answer = (_request, response) => response.writeHead(302, { location }).end();
      const asked = calling(reading, (outbound) => outbound.request(origin, { redirects: 5 }));
      await expect(asked).rejects.toMatchObject({ code: 'OUTBOUND_REFUSED' });
    },
  );

  test('follows none to another site where it stays on one', async () => {
    const ask = (location: string) => {
      answer = ({ url }, response) =>
        url === '/a' ? response.writeHead(302, { location }).end() : response.end('there');
      return calling(onLoopback, (outbound) => outbound.request(`${origin}/a`, { redirects: 3, staysOnSite: true }));
    };
    expect(await ask('/b')).toMatchObject({ text: 'there', url: `${origin}/b` });
    const failed = { code: 'OUTBOUND_FAILED', data: { failure: 'redirects' } };
    for (const elsewhere of [origin.replace('127.0.0.1', 'localhost'), 'https://127.0.0.1/b', 'http://127.0.0.1:1'])
      await expect(ask(elsewhere), elsewhere).rejects.toMatchObject(failed);
    expect(seen.every(({ url }) => url === '/a' || url === '/b')).toBe(true);
  });

  test('speaks http with others, and with no private network', async () => {
    const lookup: LookupAll = (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const { port } = new URL(origin);
    const ask = (options: Partial<OutboundOptions>) => get(`http://site.example:${port}/`, { lookup, ...options });
    await expect(ask(onLoopback)).rejects.toMatchObject({ code: 'OUTBOUND_REFUSED' });
    expect(await ask(reading)).toMatchObject({ status: 200 });
    await expect(ask({ allowHttp: true })).rejects.toMatchObject({ code: 'OUTBOUND_REFUSED' });
  });

  test('cuts a long answer where that is enough', async () => {
    answer = (_request, response) => response.end('x'.repeat(100));
    const got = await calling(onLoopback, (outbound) => outbound.request(origin, { maxBytes: 9, whenLonger: 'cut' }));
    expect(got.text).toBe('x'.repeat(9));
    expect(got.bytes).toHaveLength(9);
  });

  test('ends with its signal, and gives the reason for no answer', async () => {
    const stopper = new AbortController();
    answer = () => stopper.abort(new Error('enough'));
    const asked = calling(onLoopback, (outbound) => outbound.request(origin, { signal: stopper.signal }));
    await expect(asked).rejects.toThrow('enough');
    const failureOf = async (work: Promise<unknown>) =>
      work.catch((error: { data: { failure: string } }) => error.data.failure);
    const unknown: LookupAll = (_hostname, _options, callback) =>
      callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    expect(await failureOf(get('https://lms.example', { lookup: unknown }))).toBe('no-host');
    expect(await failureOf(get('http://127.0.0.1:1'))).toBe('connection');
    expect(await failureOf(get(origin.replace('http:', 'https:')))).toBe('certificate');
  });
});

describe('OUTBOUND_FAILED', () => {
  const failure = { code: 'OUTBOUND_FAILED', kind: 'unavailable' };

  test('for an answer above the limit', async () => {
    answer = (_request, response) => response.end('x'.repeat(100));
    const asked = calling(onLoopback, (outbound) => outbound.request(origin, { maxBytes: 99 }));
    await expect(asked).rejects.toMatchObject(failure);
    const enough = calling(onLoopback, (outbound) => outbound.request(origin, { maxBytes: 100 }));
    await expect(enough).resolves.toMatchObject({ status: 200 });
  });

  test('for an answer that does not come, and for one that does not end', async () => {
    for (const silent of [() => {}, (_: unknown, response: ServerResponse) => void response.write('begin')]) {
      answer = silent;
      const asked = calling(onLoopback, (outbound) => outbound.request(origin, { timeoutMs: 100 }));
      await expect(asked).rejects.toMatchObject(failure);
    }
  });

  test('for a name that never resolves', async () => {
    const asked = calling({ lookup: () => {} }, (outbound) =>
      outbound.request('https://lms.example', { timeoutMs: 50 }),
    );
    await expect(asked).rejects.toMatchObject(failure);
  });

  test('for a connection that breaks, without what was sent', async () => {
    answer = (request) => request.socket.destroy();
    const asked = calling(onLoopback, (outbound) =>
      outbound.request(origin, { headers: { authorization: 'Bearer secret' } }),
    );
    const error = await asked.then(
      () => expect.unreachable(),
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject(failure);
    expect(`${error.message} ${error.cause}`).not.toContain('secret');
  });
});

describe('OUTBOUND_REFUSED', () => {
  const refusal = { code: 'OUTBOUND_REFUSED', kind: 'invalid' };
  const listing = (hosts: string): PrivateAccess => ({
    hosts: parsePrivateHosts(hosts)!,
    isOpenToOwners: false,
  });
  const resolver = (address: string): LookupAll =>
    vi.fn((_hostname, _options, callback) => callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]));

  test.each([
    'ftp://lms.example',
    'javascript:alert(1)',
    'lms.example',
    '',
    'https://ada:secret@lms.example',
    'http://lms.example',
    'http://10.0.0.1',
    'https://127.0.0.1',
    'https://localhost',
    'https://[::1]',
    'https://169.254.169.254/latest/meta-data',
  ])('for %s', async (url) => {
    const error = await get(url, { privateAccess: { hosts: [], isOpenToOwners: true } }).then(
      () => expect.unreachable(),
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject(refusal);
    expect(error.message).not.toContain('secret');
  });

  test('for http to this machine, unless that is allowed', async () => {
    await expect(get(origin, {})).rejects.toMatchObject(refusal);
    await expect(get(origin, onLoopback)).resolves.toMatchObject({ status: 200 });
    await expect(get(origin.replace('127.0.0.1', 'localhost'))).resolves.toMatchObject({ status: 200 });
  });

  test('for all but the public Internet where a stranger gave the address', async () => {
    const kinds: Partial<OutboundOptions>[] = [
      onLoopback,
      { hostOrigin: origin },
      { allowHttp: true, privateAccess: listing(new URL(origin).host) },
      { allowHttp: true, privateAccess: { hosts: [], isOpenToOwners: true } },
    ];
    for (const options of kinds) {
      const byStranger = (url: string) =>
        calling({ lookup: resolver('127.0.0.1'), ...options }, (outbound) =>
          outbound.request(url, { isByStranger: true, ownersOrigin: origin }),
        );
      await expect(byStranger(origin)).rejects.toMatchObject(refusal);
      await expect(byStranger('https://assistant.example/client.json')).rejects.toMatchObject(refusal);
    }
    expect(seen).toEqual([]);
  });

  test('for this machine, but for the host itself where it is one’s own', async () => {
    const own = { hostOrigin: origin };
    await expect(get(`${origin}/token`, own)).resolves.toMatchObject({ status: 200 });
    const { port } = new URL(origin);
    const others = ['http://127.0.0.1:1', `http://localhost:${port}`, `https://127.0.0.1:${port}`];
    for (const other of others) await expect(get(other, own)).rejects.toMatchObject(refusal);
  });

  test('for http elsewhere, also then', async () => {
    await expect(get('http://lms.example', onLoopback)).rejects.toMatchObject(refusal);
  });

  test.each(['10.1.2.3', '192.168.1.1', '100.64.0.1', 'fd00::1'])(
    'for a name at the private address %s, unless it is on the list of the operator',
    async (address) => {
      const lookup = resolver(address);
      const others = [
        noPrivateAccess,
        listing('lms.example:80'),
        listing(address.includes(':') ? `[${address}]` : address),
      ];
      for (const privateAccess of [...others, { hosts: [], isOpenToOwners: true }])
        await expect(get('https://lms.example', { lookup, privateAccess })).rejects.toMatchObject(refusal);
      const allowed = calling({ lookup, privateAccess: listing('LMS.example:443') }, (outbound) =>
        outbound.request('https://lms.example', { timeoutMs: 50 }),
      );
      // Nothing is there, but it was tried.
      await expect(allowed).rejects.toMatchObject({ code: 'OUTBOUND_FAILED' });
    },
  );

  test.each(['169.254.169.254', '0.0.0.0', '::ffff:169.254.169.254', '100.100.100.200', 'fd00:ec2::254'])(
    'for a name at %s, whatever the operator allows',
    async (address) => {
      const privateAccess = { ...listing('lms.example'), isOpenToOwners: true };
      const request = { ownersOrigin: 'https://lms.example' };
      const asked = calling({ lookup: resolver(address), privateAccess }, (outbound) =>
        outbound.request('https://lms.example', request),
      );
      await expect(asked).rejects.toMatchObject(refusal);
    },
  );

  test('but for the origin that an owner entered, which may send on to https on the same host only', async () => {
    const { port } = new URL(origin);
    const lookup = resolver('127.0.0.1');
    const options = { lookup, privateAccess: { hosts: [], isOpenToOwners: true }, allowHttp: true };
    const from = `http://intranet.example:${port}`;
    const follow = (location: string, ownersOrigin?: string) => {
      answer = (_request, response) => response.writeHead(301, { location }).end();
      const request = { ...(ownersOrigin && { ownersOrigin }), redirects: 1, timeoutMs: 2_000 };
      return calling(options, (outbound) => outbound.request(`${from}/feed`, request));
    };
    // Whatever is at the port of https here, it has no certificate of that name: it was tried.
    await expect(follow('https://intranet.example/feed', from)).rejects.toMatchObject({
      code: 'OUTBOUND_FAILED',
    });
    for (const other of ['https://other.example/', 'https://intranet.example:8443/', 'http://intranet.example/'])
      await expect(follow(other, from), other).rejects.toMatchObject(refusal);
    await expect(follow('https://intranet.example/feed')).rejects.toMatchObject(refusal);
  });

  test('but for the origin that an owner entered, and not where it redirects to', async () => {
    const { port } = new URL(origin);
    const options = { privateAccess: { hosts: [], isOpenToOwners: true }, allowHttp: true };
    await calling(options, async (outbound) => {
      const ofOwner = { ownersOrigin: origin, redirects: 2 };
      await expect(outbound.request(`${origin}/feed`, ofOwner)).resolves.toMatchObject({ status: 200 });
      await expect(outbound.request(`${origin}/feed`)).rejects.toMatchObject(refusal);
      answer = (_request, response) => response.writeHead(302, { location: `http://localhost:${port}/` }).end();
      await expect(outbound.request(`${origin}/feed`, ofOwner)).rejects.toMatchObject(refusal);
    });
    await expect(
      calling({ allowHttp: true }, (outbound) => outbound.request(origin, { ownersOrigin: origin })),
    ).rejects.toMatchObject(refusal);
  });
});

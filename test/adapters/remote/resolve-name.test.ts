import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createNameResolver, type NameResolverOptions } from '../../../src/adapters/remote/resolve-name.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 3;

/** A name server on UDP. `answer` gives the bytes of each address; null for a name that does not
 *  exist, undefined where it stays silent. */
async function startNameServer(answer: (name: string, type: number) => readonly Buffer[] | null | undefined) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at] !== 0; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    const type = query.readUInt16BE(at + 1);
    asked.push(labels.join('.'));
    const records = answer(labels.join('.'), type);
    if (records === undefined) return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (records === null ? NO_SUCH_NAME : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records?.length ?? 0, 6);
    header.writeUInt32BE(0, 8);
    const written = (records ?? []).map((data) => {
      const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
      return Buffer.concat([record, data]);
    });
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...written]), port, address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  onTestFinished(() => void socket.close());
  return { asked, servers: [`127.0.0.1:${(socket.address() as AddressInfo).port}`] };
}

const v4 = (...bytes: number[]) => Buffer.from(bytes);
const v6 = Buffer.from('20010db8000000000000000000000001', 'hex');

function open(options: NameResolverOptions, files: Partial<Record<'hosts' | 'resolv', string>> = {}) {
  const folder = makeTempDir();
  const [hostsFile, resolverFile] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  writeFileSync(hostsFile, files.hosts ?? '');
  writeFileSync(resolverFile, files.resolv ?? '');
  const lookup = createNameResolver({ hostsFile, resolverFile, ...options });
  const resolve = (name: string, family = 0) =>
    new Promise<readonly string[] | string>((done) =>
      lookup(name, { all: true, family }, (error, addresses) =>
        done(error?.code ?? addresses.map(({ address }) => address)),
      ),
    );
  return { resolve, hostsFile };
}

test('addresses come from DNS, those of IPv4 first, and of one version where that is asked for', async () => {
  const { servers } = await startNameServer((name, type) => {
    if (name === 'both.example') return type === A ? [v4(192, 0, 2, 1), v4(192, 0, 2, 2)] : [v6];
    if (name === 'six.example') return type === AAAA ? [v6] : [];
    return null;
  });
  const { resolve } = open({ servers });
  expect(await resolve('both.example')).toEqual([
    expect.stringMatching(/^192\.0\.2\.[12]$/),
    expect.stringMatching(/^192\.0\.2\.[12]$/),
    '2001:db8::1',
  ]);
  expect(await resolve('Both.Example.', 6)).toEqual(['2001:db8::1']);
  expect(await resolve('six.example')).toEqual(['2001:db8::1']);
  expect(await resolve('six.example', 4)).toBe('ENOTFOUND');
  expect(await resolve('none.example')).toBe('ENOTFOUND');
});

test('the file of hosts comes first, also after it has changed, and localhost is this machine without it', async () => {
  const { servers, asked } = await startNameServer(() => [v4(198, 51, 100, 1)]);
  const { resolve, hostsFile } = open(
    { servers },
    { hosts: '# names\n192.0.2.9 Db.internal db # ours\n2001:db8::9\tdb\n' },
  );
  expect(await resolve('db.INTERNAL')).toEqual(['192.0.2.9']);
  expect(await resolve('db')).toEqual(['192.0.2.9', '2001:db8::9']);
  for (const name of ['localhost', 'x.localhost']) expect(await resolve(name)).toEqual(['127.0.0.1', '::1']);
  expect(await resolve('localhost', 6)).toEqual(['::1']);
  expect(asked).toEqual([]);
  writeFileSync(hostsFile, '192.0.2.10 other\n127.0.0.1 localhost\n');
  expect(await resolve('other')).toEqual(['192.0.2.10']);
  expect(await resolve('localhost')).toEqual(['127.0.0.1']);
});

test('short names are looked for in the search domains, as the system does', async () => {
  const { servers, asked } = await startNameServer((name, type) =>
    name === 'search.svc.cluster.local' ? (type === A ? [v4(10, 0, 0, 1)] : []) : null,
  );
  const resolv = 'search default.svc.cluster.local svc.cluster.local\noptions ndots:2 timeout:1\n';
  const { resolve } = open({ servers }, { resolv });
  expect(await resolve('search')).toEqual(['10.0.0.1']);
  asked.length = 0;
  expect(await resolve('a.b.example')).toBe('ENOTFOUND');
  expect(asked[0]).toBe('a.b.example');
  asked.length = 0;
  expect(await resolve('search.')).toBe('ENOTFOUND');
  expect(new Set(asked)).toEqual(new Set(['search']));
});

test('names whose servers do not answer end by themselves, and stop nobody else meanwhile', async () => {
  const { servers } = await startNameServer((name, type) =>
    name === 'good.example' ? (type === A ? [v4(192, 0, 2, 1)] : []) : undefined,
  );
  const { resolve } = open({ servers, deadlineMs: 5_000 });
  let ended = 0;
  const silent = Array.from({ length: 40 }, async (_, number) => {
    const result = await resolve(`silent-${number}.example`);
    ended++;
    return result;
  });
  expect(await resolve('good.example')).toEqual(['192.0.2.1']);
  await readFile(import.meta.filename);
  expect(ended).toBe(0);
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['EAI_AGAIN']));
});

import { expect, test } from 'vitest';
import { isPrivateHostListed, parsePrivateHosts } from '../../src/domain/private-hosts.ts';

test('hosts are normalized as in addresses', () => {
  expect(parsePrivateHosts(' Search.Example.org. , 10.0.0.7:8080,[FD00::0007]:9200,0x7f000001,böb.example:1')).toEqual([
    { host: 'search.example.org', port: null },
    { host: '10.0.0.7', port: 8080 },
    { host: 'fd00::7', port: 9200 },
    { host: '127.0.0.1', port: null },
    { host: 'xn--bb-fka.example', port: 1 },
  ]);
});

test.each([
  ['', 'a,,b', 'a,', ','],
  ['10.0.0.0/8', 'http://a', 'a/b', 'a?b', 'a#b', 'ada@a', 'ada:pw@a'],
  ['*', '*.example.org', 'a b', 'a:0', 'a:65536', 'a:80:80', 'a:http', 'fd00::7', '[fd00::7', '256.1.1.1'],
])('%s and the like are no hosts', (...lists) => {
  for (const list of lists) expect(parsePrivateHosts(list), list).toBeNull();
});

test('a host is listed with one port, or with all', () => {
  const listed = (list: string, address: string) => isPrivateHostListed(parsePrivateHosts(list)!, new URL(address));
  expect(listed('a.example', 'http://a.example:8080')).toBe(true);
  expect(listed('a.example', 'https://a.example.')).toBe(true);
  expect(listed('a.example:443', 'https://a.example')).toBe(true);
  expect(listed('a.example:80', 'http://a.example')).toBe(true);
  expect(listed('[fd00::7]:9200', 'http://[fd00::7]:9200')).toBe(true);
  expect(listed('a.example:80', 'https://a.example')).toBe(false);
  expect(listed('a.example', 'http://b.a.example')).toBe(false);
  expect(listed('10.0.0.7', 'http://[::ffff:10.0.0.7]')).toBe(false);
});

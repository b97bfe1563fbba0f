import { expect, test } from 'vitest';
import { classifyAddress, findNetworkOf, isOpenAddress, isPublicAddress } from '../../src/domain/address-kinds.ts';

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
  ['reserved and broadcast', ['240.0.0.1', '255.255.255.255', '2001:db8::1', '3fff::1', '4000::1', '5f00::1']],
  ['an IPv4 address in an IPv6 one', ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1']],
  ['translated', ['64:ff9b::a00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '::ffff:0:7f00:1']],
  ['tunnelled', ['2002:7f00:1::', '2001:0:7f00:1::']],
  ['unspecified and discarded', ['::', '100::1']],
  ['none, or not written as sockets write it', ['', '127.1', '0x7f000001', '2130706433', '010.0.0.1', 'a.b', '[::1]']],
])('%s is not public', (_what, addresses) => {
  for (const address of addresses) expect(isPublicAddress(address), address).toBe(false);
});

test.each([
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  ['private', ['10.0.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fd12:3456::1']],
  ['closed', ['169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::a9fe:a9fe', 'fe80::1%eth0', 'febf::1']],
  ['closed', ['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254', 'fd00:42::42']],
  [
    'closed',
    ['::ffff:10.0.0.1', '::ffff:127.0.0.1', '64:ff9b::a00:1', '64:ff9b::7f00:1', '2002:7f00:1::', '::127.0.0.1'],
  ],
  ['closed', ['0.0.0.0', '::', '224.0.0.1', '255.255.255.255', 'fec0::1', '2130706433', 'a.b']],
])('%s is what these are: %s', (kind, addresses) => {
  for (const address of addresses) {
    expect(classifyAddress(address), address).toBe(kind);
    expect(isOpenAddress(address), address).toBe(kind !== 'closed');
  }
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1::7', '2001:db8:0:1/64'],
  ['2001:DB8::1:a:b:c:d', '2001:db8:0:1/64'],
  ['2001:db8::7', '2001:db8:0:0/64'],
  ['192.0.2.7:51234', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:443', '192.0.2.7'],
  ['[2001:db8::7]:443', '2001:db8:0:0/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('the network of %j is %j', (address, network) => {
  expect(findNetworkOf(address)).toBe(network);
});

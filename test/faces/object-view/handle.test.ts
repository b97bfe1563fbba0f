import { expect, test } from 'vitest';
import { openHandle, sealHandle } from '../../../src/faces/object-view/handle.ts';
import { createKeyring } from '../../../src/services/host/keyring.ts';
import { fullObject } from '../../fakes/learning-service.ts';

const keyring = createKeyring(['a secret of the tests, long enough']);
const scope = { keyring, tenantId: 'lyon' };
const found = { object: fullObject, requestId: 'request-1' };

test('an object goes to the browser and comes back as it was', () => {
  expect(openHandle(sealHandle(found, scope), scope)).toEqual(found);
  expect(openHandle(sealHandle({ ...found, requestId: null }, scope), scope).requestId).toBeNull();
});

test('an object alone is sealed once, for a tenant and a key', () => {
  const alone = { object: fullObject, requestId: null };
  const [one, again, paris] = [scope, scope, { keyring, tenantId: 'paris' }].map((each) => sealHandle(alone, each));
  expect(again).toBe(one);
  expect(openHandle(paris!, { keyring, tenantId: 'paris' })).toEqual(openHandle(one!, scope));
  const keys: [string, ...string[]] = ['the first secret of this test', 'an earlier one of this test'];
  const rotating = { keyring: createKeyring(() => keys), tenantId: 'lyon' };
  const before = sealHandle(alone, rotating);
  keys.reverse();
  return Promise.resolve().then(() => expect(sealHandle(alone, rotating)).not.toBe(before));
});

test('a handle says nothing of the object', () => {
  expect(sealHandle(found, scope)).not.toContain('python');
});

test.each([
  ['of another tenant', sealHandle(found, { keyring, tenantId: 'paris' })],
  ['of another host', sealHandle(found, { ...scope, keyring: createKeyring(['another secret, long enough too']) })],
  ['that was changed', `${sealHandle(found, scope).slice(0, -4)}AAAA`],
  ['of something else', keyring.seal(JSON.stringify(found), 'launch token')],
  ['that is none', 'x'],
  ['that is empty', ''],
])('one %s is refused', (_, handle) => {
  expect(() => openHandle(handle, scope)).toThrow(expect.objectContaining({ code: 'FORM_INVALID' }));
});

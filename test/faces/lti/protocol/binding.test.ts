import type { Request } from 'express';
import { describe, expect, test } from 'vitest';
import { createBinding, createBindingCookies } from '../../../../src/faces/lti/protocol/binding.ts';

const STATE = 'a'.repeat(16) + 'b'.repeat(27);
const NAME = `__Host-skilldock_login_${'a'.repeat(16)}`;

const requestWith = (cookie?: string) => ({ get: () => cookie }) as unknown as Request;

describe('the binding cookie over https', () => {
  const cookies = createBindingCookies('https://skills.example.org');
  const binding = createBinding();

  test('belongs to this host, and is sent in frames of other sites', () => {
    const [cookie = '', ...others] = cookies.keep(STATE, binding);
    expect(others).toEqual([]);
    expect(cookie.split('; ').sort()).toEqual(
      [`${NAME}=${binding}`, 'Path=/', 'Max-Age=600', 'HttpOnly', 'Secure', 'SameSite=None', 'Partitioned'].sort(),
    );
  });

  test('is read for its own login only', () => {
    const request = requestWith(`a=b; ${NAME}=${binding}; c=d`);
    expect(cookies.read(request, STATE)).toBe(binding);
    expect(cookies.read(request, `x${STATE}`)).toBeUndefined();
    expect(cookies.read(requestWith(), STATE)).toBeUndefined();
    expect(cookies.read(requestWith(`${NAME}=`), STATE)).toBeUndefined();
  });

  test('is not replaced by the plain one, which another host of the domain could set', () => {
    const [, plain = ''] = createBindingCookies('http://localhost').keep(STATE, binding);
    expect(cookies.read(requestWith(plain.split(';')[0]), STATE)).toBeUndefined();
    const [unprefixed = ''] = createBindingCookies('http://localhost').keep(STATE, binding);
    expect(cookies.read(requestWith(unprefixed.split(';')[0]), STATE)).toBeUndefined();
  });

  test('is removed with the attributes with which it was set', () => {
    const [kept = '', removed = ''] = [cookies.keep(STATE, binding)[0], cookies.remove(STATE)[0]];
    expect(cookies.remove(STATE)).toHaveLength(1);
    expect(removed).toBe(kept.replace(binding, '').replace('Max-Age=600', 'Max-Age=0'));
  });
});

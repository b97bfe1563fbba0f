import { describe, expect, test } from 'vitest';
import { createKeyring, type SecretKeyList } from '../../../src/services/host/keyring.ts';

const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];

const codeOf = (open: () => unknown) => {
  try {
    open();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return 'opened';
};

describe('a sealed secret', () => {
  const keyring = createKeyring([first]);

  test.each(['', 'x', 'a key with ünïcödé 🔑', 'k'.repeat(10_000)])('opens as it was: %.20s', (plain) => {
    const sealed = keyring.seal(plain, 'tenant/upstream-api-key');
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
    expect(keyring.open(sealed, 'tenant/upstream-api-key')).toBe(plain);
  });

  test('says nothing of what it holds, and never looks the same twice', () => {
    const sealed = [keyring.seal('my-secret-key', 'c'), keyring.seal('my-secret-key', 'c')];
    expect(sealed[0]).not.toBe(sealed[1]);
    for (const each of sealed) {
      const bytes = Buffer.from(each.split('.')[2]!, 'base64url').toString('latin1');
      expect(bytes).not.toContain('secret');
    }
  });

  test('opens in its own context only', () => {
    const sealed = keyring.seal('plain', 'one/upstream-api-key');
    expect(codeOf(() => keyring.open(sealed, 'two/upstream-api-key'))).toBe('SECRET_UNREADABLE');
    expect(codeOf(() => keyring.open(sealed, 'one/marketplace-key'))).toBe('SECRET_UNREADABLE');
  });

  test('of which one character was changed does not open, whichever it is', () => {
    const sealed = keyring.seal('plain', 'c');
    const body = sealed.lastIndexOf('.') + 1;
    for (let i = 0; i < sealed.length; i++) {
      const other = sealed[i] === 'A' ? 'B' : 'A';
      // The last character may hold bits that belong to no byte.
      if (i === sealed.length - 1 && (sealed.length - body) % 4 !== 0) continue;
      expect(codeOf(() => keyring.open(sealed.slice(0, i) + other + sealed.slice(i + 1), 'c'))).toBe(
        'SECRET_UNREADABLE',
      );
    }
  });

  test.each(['', 'v1', 'v1..', 'v2.00000000.AAAA', 'v1.00000000.AAAA', 'plain text', '💣'])('%j is none', (text) => {
    expect(codeOf(() => keyring.open(text, 'c'))).toBe('SECRET_UNREADABLE');
  });

  test('that is cut short is refused, as is one that is shorter than a tag', () => {
    const sealed = keyring.seal('plain', 'c');
    for (const length of [sealed.length - 4, 13, 20, 30])
      expect(codeOf(() => keyring.open(sealed.slice(0, length), 'c'))).toBe('SECRET_UNREADABLE');
  });
});

describe('keys', () => {
  test('a secret opens with the key it is sealed under, as long as that is known', () => {
    const sealed = createKeyring([first]).seal('plain', 'c');
    const rotated = createKeyring([second, third, first]);
    expect(rotated.open(sealed, 'c')).toBe('plain');
    expect(rotated.isCurrent(sealed)).toBe(false);
    expect(rotated.isCurrent(rotated.seal('plain', 'c'))).toBe(true);
    expect(codeOf(() => createKeyring([second]).open(sealed, 'c'))).toBe('SECRET_UNREADABLE');
  });

  test('the id of a key is always the same, of every key another, and no part of it', () => {
    const ids = [first, second, third].map((key) => createKeyring([key]).currentKeyId);
    expect(new Set(ids).size).toBe(3);
    expect(createKeyring([first, second]).currentKeyId).toBe(ids[0]);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}$/);
  });

  test('the refusal names neither the key nor what was sealed', () => {
    const sealed = createKeyring([first]).seal('plain secret', 'c');
    expect(() => createKeyring([second]).open(sealed, 'c')).toThrow(/SECRET_KEY_PREVIOUS/);
    expect(() => createKeyring([second]).open(sealed, 'c')).not.toThrow(new RegExp(`${second}|plain secret`));
  });

  test('a key that was put in meanwhile is noticed when something is sealed under it', () => {
    let keys: SecretKeyList = [first];
    const running = createKeyring(() => keys);
    running.seal('before', 'c');
    keys = [second, first];
    const byCommand = createKeyring(keys).seal('plain', 'c');
    expect(running.open(byCommand, 'c')).toBe('plain');
    expect(running.currentKeyId).toBe(createKeyring([second]).currentKeyId);
  });

  test('and before anything is sealed or told current, so that nothing stays under the old one', async () => {
    let keys: SecretKeyList = [first];
    const running = createKeyring(() => keys);
    running.seal('before', 'c');
    // Another process changes them, which no code that runs to its end sees.
    await Promise.resolve();
    keys = [second, first];
    const before = createKeyring([first]).seal('plain', 'c');
    expect(running.isCurrent(before)).toBe(false);
    expect(createKeyring([second]).open(running.seal('plain', 'c'), 'c')).toBe('plain');
  });
});

test('a mark is the same for the same text, and says nothing about it', () => {
  const keyring = createKeyring(['a key of the tests, long enough to be one']);
  const mark = keyring.mark('python', 'insight words');
  expect(keyring.mark('python', 'insight words')).toBe(mark);
  expect(mark).toMatch(/^[\w-]{22}$/);
  const other = createKeyring(['another key of the tests, long enough too']);
  const others = [
    keyring.mark('Python', 'insight words'),
    keyring.mark('python', 'x'),
    other.mark('python', 'insight words'),
  ];
  expect(new Set([mark, ...others]).size).toBe(4);
});

test('what seals a page in one go reads the keys once, and again afterwards', async () => {
  let now = first;
  let reads = 0;
  const keyring = createKeyring(() => {
    reads += 1;
    return [now];
  });
  const sealed = ['a', 'b', 'c'].map((plain) => keyring.seal(plain, 'card'));
  expect(reads).toBe(1);
  now = second;
  await Promise.resolve();
  expect(sealed.map((each) => keyring.isCurrent(each))).toEqual([false, false, false]);
  expect(reads).toBe(2);
});

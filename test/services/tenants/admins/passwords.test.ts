import { expect, test } from 'vitest';
import { createPasswords, passwordCost } from '../../../../src/services/tenants/admins/passwords.ts';

const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const passwords = createPasswords(cheap);

async function reasonsOf(password: string, name = 'Ada Lovelace') {
  return (await passwords.findProblems(password, name)).map(({ path, reason }) => `${path}: ${reason}`);
}

test('what is kept is argon2id with at least the costs that OWASP asks for', async () => {
  const kept = await createPasswords().hashPassword('umbrella violin tractor');
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(passwordCost).toEqual({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });
});

test('a password fits its own hash only, and no two hashes are alike', async () => {
  const [kept, again] = [await passwords.hashPassword('umbrella'), await passwords.hashPassword('umbrella')];
  expect(kept).not.toBe(again);
  await expect(passwords.verifyPassword(kept, 'umbrella')).resolves.toBe(true);
  await expect(passwords.verifyPassword(kept, 'Umbrella')).resolves.toBe(false);
  await expect(passwords.verifyPassword(kept, '')).resolves.toBe(false);
});

test('nobody has a password, not even an empty one', async () => {
  for (const password of ['', 'umbrella']) {
    await expect(passwords.verifyPassword(null, password)).resolves.toBe(false);
  }
});

test('a password can be typed on a keyboard that composes its letters differently', async () => {
  const kept = await passwords.hashPassword('cafe\u0301 ﬁnal ①');
  await expect(passwords.verifyPassword(kept, 'caf\u00e9 final 1')).resolves.toBe(true);
});

test('a hash is outdated when any cost differs', async () => {
  const kept = await passwords.hashPassword('umbrella');
  expect(passwords.isOutdated(kept)).toBe(false);
  for (const change of [{ memoryCost: 16 }, { timeCost: 2 }, { memoryCost: 16, parallelism: 2 }]) {
    expect(createPasswords({ ...cheap, ...change }).isOutdated(kept)).toBe(true);
  }
});

test.each([
  ['elf letters', 'password: password-too-short'],
  // Eleven characters that take two units each.
  ['🎻🌂🚜🎈🎪🎯🎲🎸🎺🏀🏁', 'password: password-too-short'],
  // Twelve before they are composed, eleven after.
  ['umbre\u0301lla vi', 'password: password-too-short'],
  [`x${'umbrella violin tractor '.repeat(9)}`, 'password: password-too-long'],
])('%j has the wrong length', async (password, reason) => {
  expect(await reasonsOf(password)).toEqual([reason]);
});

test('200 characters are allowed, 201 are not', async () => {
  const long = 'umbrella violin tractor '.repeat(9);
  expect(await reasonsOf(long.slice(0, 200))).toEqual([]);
  expect(await reasonsOf(long.slice(0, 201))).toEqual(['password: password-too-long']);
});

test.each([
  '123456789012',
  'passwordpassword',
  'Password1234!',
  'P@ssw0rd1234',
  'qwertyuiopasdf',
  'azertyuiop12',
  'letmein12345',
  'iloveyou1234',
  'aaaaaaaaaaaa',
  'Passw0rd!2024',
  'thisispassword',
  'lovelace-ada',
  'Ada.Lovelace',
  'abcdefghijkl',
  '1q2w3e4r5t6y',
  'administrator',
  'motdepasse123',
  'bienvenue2024',
  'skilldock2026',
  'SkillDockSkillDock',
  'Ada Lovelace',
  'adalovelace12',
  'lovelaceada1',
])('%j is among the first that are guessed', async (password) => {
  expect(await reasonsOf(password)).toEqual(['password: password-easy']);
});

test.each(['umbrella violin tractor', 'correct horse battery', 'k7#Vq2!mZx0p', 'kolme iloista rosvoa'])(
  '%j may be used',
  async (password) => {
    expect(await reasonsOf(password)).toEqual([]);
  },
);

test('where a hundred wait already, the next is told to come back', async () => {
  const results = await Promise.allSettled(Array.from({ length: 110 }, () => passwords.hashPassword('x')));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).toHaveLength(8);
  expect(refused[0]).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 5 });
  await expect(passwords.hashPassword('x')).resolves.toBeDefined();
});

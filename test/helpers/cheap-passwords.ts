import { createPasswords, type Passwords } from '../../src/services/tenants/admins/passwords.ts';

/** By password and name; looking for them takes longer than all else. */
const problems = new Map<string, ReturnType<Passwords['findProblems']>>();

/** With as little work as argon2 can do: who may sign in is tested, not how long it takes. */
export function createCheapPasswords(): Passwords {
  const passwords = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  return {
    ...passwords,
    findProblems(password, userName) {
      const key = JSON.stringify([password, userName]);
      const existing = problems.get(key) ?? passwords.findProblems(password, userName);
      problems.set(key, existing);
      return existing;
    },
  };
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRecordServices } from '../../src/compose/record-services.ts';
import { systemClock } from '../../src/ports/clock.ts';
import type { FeedbackRecord, Store } from '../../src/ports/store/store.ts';
import { runProgram } from '../helpers/host-process.ts';
import { SECRET, secretKeysOf, tester } from '../helpers/open-services.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { openTestStore } from '../helpers/test-store.ts';

const at = new Date('2026-03-01T10:00:00Z');
const sample: FeedbackRecord = {
  id: 'a',
  tenantId: 'default',
  url: 'https://example.org/python',
  comment: null,
  requestId: 'r',
  email: 'ada@example.org',
  source: 'https://school.example.org',
  provider: null,
  receivedAt: at,
  state: 'parked',
  attempts: 14,
  failures: 14,
  dueAt: at,
  leasedUntil: null,
  lastError: 'Never.',
  destination: 'https://api.example.org',
  giverHash: null,
};

/** A store with parked feedback of Ada's and Eve's in two tenants. */
async function fillStore(dataDir: string): Promise<string> {
  const store = openTestStore(join(dataDir, 'skilldock.db'));
  const services = createRecordServices({ store, secretKeys: secretKeysOf(SECRET), clock: systemClock });
  await services.tenants.prepareDefault();
  const { id } = await services.tenants.createTenant(tester, 'École');
  for (const tenantId of ['default', id])
    for (const email of ['ada@example.org', 'eve@example.org'])
      await store.feedback.saveFeedback({ ...sample, tenantId, email, id: `${tenantId} ${email}` });
  await store.close();
  return id;
}

async function inStore<T>(dataDir: string, read: (store: Store) => Promise<T>): Promise<T> {
  const store = openTestStore(join(dataDir, 'skilldock.db'));
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}
const keptIn = (dataDir: string) =>
  inStore(dataDir, ({ feedback }) => {
    const all = {
      scope: null,
      state: null,
      provider: null,
      received: { from: null, until: null },
      search: '',
    };
    return feedback.readFeedback(all, null, 100);
  });

// Each command is a process of its own, which takes its time on a busy machine.
describe('feedback', () => {
  test('of a person is found, exported and erased', async () => {
    const dataDir = makeTempDir();
    const id = await fillStore(dataDir);
    const run = async (...args: string[]) => (await runProgram(['people', ...args], { DATA_DIR: dataDir })).stdout;
    const found = JSON.parse(await run('find', 'ADA@example.org', '--json'));
    expect(found.map(({ tenantId }: { tenantId: string }) => tenantId).toSorted()).toEqual(['default', id]);
    const exported = JSON.parse(await run('export', 'ADA@example.org', '--tenant', id));
    expect(exported.kinds).toMatchObject([{ kind: 'feedback' }]);
    expect(await run('erase', 'ADA@example.org', '--tenant', id)).toBe('feedback: 1 record\nErased.\n');
    expect((await keptIn(dataDir)).map(({ email }) => email).toSorted()).toEqual([
      'ada@example.org',
      'eve@example.org',
      'eve@example.org',
    ]);
    const erased = { scope: null, action: 'person.erased', period: { from: null, until: null }, search: '' };
    const entries = await inStore(dataDir, ({ audit }) => audit.readAuditEntries(erased, null, 10));
    expect(entries).toMatchObject([{ actor: { kind: 'command' }, tenantId: id, details: { feedback: '1' } }]);
    expect(JSON.stringify(entries)).not.toContain('ada@');
  });

  test('retry makes what is parked wait again, due now', async () => {
    const dataDir = makeTempDir();
    const id = await fillStore(dataDir);
    const run = async (...args: string[]) =>
      (await runProgram(['feedback', 'retry', ...args], { DATA_DIR: dataDir })).stdout;
    expect(await run('--tenant', id)).toMatch(/^Waiting again: 2\. .*\n$/);
    const states = (await keptIn(dataDir)).map(({ tenantId, state }) => [tenantId, state]);
    expect(states).toEqual([
      ['default', 'parked'],
      ['default', 'parked'],
      [id, 'waiting'],
      [id, 'waiting'],
    ]);
    for (const { state, dueAt } of await keptIn(dataDir))
      if (state === 'waiting') expect(dueAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(JSON.parse(await run('--json'))).toEqual({ retried: 2 });
    expect(JSON.parse(await run('--json'))).toEqual({ retried: 0 });
  });

  test.each([
    ['a person of no tenant', ['people', 'erase', 'ada'], /give --tenant/],
    ['nobody', ['people', 'erase'], /missing required argument/],
    ['an unknown tenant', ['people', 'erase', 'ada@example.org', '--tenant', 'nobody'], /no tenant nobody/],
    ['an unknown tenant', ['feedback', 'retry', '--tenant', 'nobody'], /no tenant nobody/],
  ])('refuses %s: %j', async (_what, args, reason) => {
    const dataDir = makeTempDir();
    await fillStore(dataDir);
    const { code, stdout, stderr } = await runProgram(args, { DATA_DIR: dataDir });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(reason);
  });

  test.each([[['people', 'erase', 'ada@example.org']], [['feedback', 'retry']]])(
    '%j makes no store where there is none',
    async (args) => {
      const dataDir = join(makeTempDir(), 'nowhere');
      const { code, stdout, stderr } = await runProgram(args, { DATA_DIR: dataDir });
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toContain(`There is no store at ${join(dataDir, 'skilldock.db')}`);
      expect(existsSync(dataDir)).toBe(false);
    },
  );
});

import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { openStoreAt } from '../src/compose/open-store.ts';
import type { AuditEntry, Store } from '../src/ports/store/store.ts';
import { isFullRun } from './helpers/draw.ts';
import { startMongoServer } from './helpers/mongo-server.ts';
import { makeTempDir } from './helpers/temp-dir.ts';

const ROUNDS = isFullRun ? 8 : 3;
/** So many in each round before it is killed, some time in the next third of a second. */
const WRITES_BEFORE = 30;
const writer = resolve('test/helpers/write-until-killed.js');
const at = new Date('2026-03-01T10:00:00Z');

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

type What =
  | 'audit'
  | 'api-key'
  | 'revoked'
  | 'feedback'
  | 'delivered'
  | 'shelved'
  | 'usage'
  | 'points'
  | 'nonce'
  | 'consumed';
type Acknowledged = Readonly<Record<What, string[]>>;

/** Let a process write until it is killed in the middle of it, and note what it acknowledged. */
async function writeAndKill(address: string, acknowledged: Acknowledged): Promise<void> {
  const child = spawn(process.execPath, [writer, address], { stdio: ['ignore', 'pipe', 'inherit'] });
  let heard = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [what, id, end] = line.split(' ') as [What, string, string?];
    // The last line may be half a line.
    if (end === '.') acknowledged[what].push(id);
    heard++;
    if (heard === WRITES_BEFORE) setTimeout(() => child.kill('SIGKILL'), Math.random() * 300);
  }
  expect(child.signalCode ?? (await new Promise((done) => child.once('exit', (_code, signal) => done(signal))))).toBe(
    'SIGKILL',
  );
}

async function readTrail({ audit }: Store): Promise<Set<string>> {
  const filter = { scope: null, action: null, period: { from: null, until: null }, search: '' };
  const ids = new Set<string>();
  let after: AuditEntry | null = null;
  for (;;) {
    const batch: readonly AuditEntry[] = await audit.readAuditEntries(filter, after, 1_000);
    if (batch.length === 0) return ids;
    for (const { id } of batch) ids.add(id);
    after = batch.at(-1)!;
  }
}

/** What was acknowledged and is not there. */
async function findLost(store: Store, acknowledged: Acknowledged): Promise<string[]> {
  const lost: string[] = [];
  const check = async (what: What, isThere: (id: string) => boolean | Promise<boolean>) => {
    for (const id of acknowledged[what]) if (!(await isThere(id))) lost.push(`${what} ${id}`);
  };
  const trail = await readTrail(store);
  await check('audit', (id) => trail.has(id));
  await check('api-key', async (id) => (await store.apiKeys.findApiKey(id)) !== null);
  await check('revoked', async (id) => (await store.apiKeys.findApiKey(id))?.revokedAt !== null);
  await check('feedback', async (id) => (await store.feedback.findFeedback(id)) !== null);
  await check('delivered', async (id) => (await store.feedback.findFeedback(id))?.state === 'delivered');
  const shelf = { tenantId: 'default', person: 'slack:T1:U1' };
  const shelved = new Set(await store.shelf.findOnShelf(shelf, acknowledged.shelved));
  await check('shelved', (address) => shelved.has(address));
  const consumed = new Set(acknowledged.consumed);
  await check('consumed', async (id) => (await store.nonces.consumeNonce(id, at)) === null);
  // The last nonce of a round may have been consumed without our hearing of it.
  const unconsumed = acknowledged.nonce.filter((id) => !consumed.has(id));
  if (unconsumed.length > ROUNDS) lost.push(`${unconsumed.length} nonces were not consumed`);
  const [used] = await store.usage.sumUsage(null, '2026-03-01', '2026-03-01');
  if ((used?.count ?? 0) < acknowledged.usage.length) lost.push(`usage: ${used?.count}`);
  const window = await store.rateCounters.addRatePoints('window', 0, { now: at, expiresAt: at });
  if (window.points < acknowledged.points.length) lost.push(`points: ${window.points}`);
  return lost;
}

async function surviveKilling(address: string): Promise<void> {
  const whats = [
    'audit',
    'api-key',
    'revoked',
    'feedback',
    'delivered',
    'shelved',
    'usage',
    'points',
    'nonce',
    'consumed',
  ];
  const acknowledged = Object.fromEntries(whats.map((what) => [what, []])) as unknown as Acknowledged;
  for (let round = 0; round < ROUNDS; round++) await writeAndKill(address, acknowledged);
  for (const [what, ids] of Object.entries(acknowledged)) expect(ids.length, what).toBeGreaterThan(0);
  const store = await openStoreAt(address, { mustExist: true });
  try {
    expect(await findLost(store, acknowledged)).toEqual([]);
  } finally {
    await store.close();
  }
}

describe('a process that is killed at any moment loses nothing that it acknowledged', () => {
  test('in the embedded store', () => surviveKilling(`sqlite:${join(makeTempDir(), 'skilldock.db')}`));

  test.runIf(mongo !== null)('in MongoDB', () => surviveKilling(mongo!.newUri()));
});

// Writes to the store at the address that is given, several writes at a time, and says of each one on standard output when
// it was acknowledged. Run by test/durability.test.ts, which kills it; the built program is used, as on a real host.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openStoreAt } from '../../dist/src/compose/open-store.js';

const [address = ''] = process.argv.slice(2);
const store = await openStoreAt(address, { mustExist: false });
const at = new Date('2026-03-01T10:00:00Z');
const later = new Date('2126-03-01T10:00:00Z');
const tenantId = 'default';

await store.tenants.addTenant({
  id: tenantId,
  name: 'Default',
  status: 'active',
  upstream: { kind: 'local' },
  defaults: {
    providers: [],
    lang: null,
    model: 'strict',
    match: 'strict',
    itemsPerPage: 10,
    freeOnly: false,
  },
  branding: { title: null, accent: null },
  feedback: { sharedEmail: null, sharedEmailFor: 'nobody', retentionDays: null },
  suggestions: 'approval',
  hasAssistants: true,
  createdAt: at,
  updatedAt: at,
  version: 1,
});

// The point shows that the line is whole.
const acknowledge = (what, id) => writeSync(1, `${what} ${id} .\n`);

const writers = [
  async () => {
    const id = randomUUID();
    const actor = { kind: 'system', id: null, name: 'test', address: null };
    const entry = { id, at, actor, tenantId, action: 'tenant.changed', target: 'a', details: {} };
    await store.audit.addAuditEntry(entry);
    acknowledge('audit', id);
  },
  async () => {
    const id = randomUUID();
    const limits = { perSecond: 1, perDay: 1, scopes: ['feedback'] };
    const times = { createdAt: at, expiresAt: null, revokedAt: null, lastUsedAt: null };
    await store.apiKeys.addApiKey({ id, tenantId, name: 'a', keyHash: id, ...limits, ...times });
    acknowledge('api-key', id);
    await store.apiKeys.revokeApiKey(id, at);
    acknowledge('revoked', id);
  },
  async () => {
    const id = randomUUID();
    await store.feedback.saveFeedback({
      id,
      tenantId,
      url: 'https://example.org',
      comment: null,
      requestId: 'r',
      email: 'ada@example.org',
      source: 's',
      provider: null,
      receivedAt: at,
      state: 'waiting',
      attempts: 1,
      failures: 0,
      dueAt: later,
      leasedUntil: null,
      lastError: null,
      destination: null,
      giverHash: null,
    });
    acknowledge('feedback', id);
    await store.feedback.settleFeedback(id, 1, {
      state: 'delivered',
      failures: 0,
      dueAt: at,
      lastError: null,
    });
    acknowledge('delivered', id);
  },
  async () => {
    const address = randomUUID();
    const object = { title: 't', url: 'https://example.org', bloom: [], type: [], publisher: [], author: [] };
    const owner = { tenantId, person: 'slack:T1:U1' };
    await store.shelf.addToShelf({ ...owner, address, object, requestId: null, savedAt: at }, 1_000_000);
    acknowledge('shelved', address);
  },
  async () => {
    await store.usage.addUsage([{ tenantId, day: '2026-03-01', metric: 'searches', count: 1 }]);
    acknowledge('usage', 1);
    await store.rateCounters.addRatePoints('window', 1, { now: at, expiresAt: later });
    acknowledge('points', 1);
  },
  async () => {
    const nonce = randomUUID();
    await store.nonces.addNonce(nonce, 'data', later);
    acknowledge('nonce', nonce);
    await store.nonces.consumeNonce(nonce, at);
    acknowledge('consumed', nonce);
  },
];

async function writeForEver(write) {
  for (;;) {
    await write();
    // The embedded store answers at once; without a pause nothing else would ever get a turn.
    await nextTurn();
  }
}

await Promise.all(writers.map(writeForEver));

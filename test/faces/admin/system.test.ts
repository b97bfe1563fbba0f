import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { type RunningAdmin, SECRET_KEY, startAdmin } from './start-admin.ts';

let admin: RunningAdmin;

beforeEach(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.close());

/** The facts of a page, by their names. */
function factsIn(text: string): Record<string, string> {
  const pairs = text.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>(.*?)<\/dd>/gs);
  return Object.fromEntries([...pairs].map(([, name, value]) => [name, value!.replace(/<[^>]*>/g, '').trim()]));
}

test('the owner learns what the host is made of', async () => {
  const owner = await admin.signInAs('owner');
  admin.clock.advance(59_000);
  const text = await owner.page('/system');
  const store = await admin.store.describe();
  expect(factsIn(text)).toEqual({
    Version: 'Skilldock 1.2.3',
    'Node.js': process.version,
    'Started (UTC)': expect.stringMatching(/^Feb 28, 2026, 8:58.AM$/),
    'Running for': 'one day, one hour, 2 minutes',
    // Of the whole process, which other files of tests may have run in before.
    Memory: expect.stringMatching(/^[\d.]+ [MG]B in total, [\d.]+ [MG]B of it for JavaScript objects$/),
    Address: admin.url,
    'Data folder': admin.deps.system.dataDir,
    Type: `embedded, SQLite ${store.version}`,
    Location: store.location,
    Size: expect.stringMatching(/^[\d.]+ (?:kB|MB)$/),
    'Migrations applied': String(store.schemaVersion),
    'Activity in courses': '1,095 days',
    Scores: '400 days',
    Feedback: 'never',
    'Audit trail': '1,095 days',
    'Uploaded files': '7 days',
    'Last removal': 'Nothing so far',
    'Key ID': admin.deps.system.secretKeyId(),
  });
  expect(text).toContain('skilldock secrets rotate');
  expect(text).toContain('skilldock backup FILE');
  expect(text).not.toContain(SECRET_KEY);
});

test('in French', async () => {
  const owner = await admin.signInAs('owner', null, { language: 'fr' });
  const facts = factsIn(await owner.page('/system'));
  expect(facts['En marche depuis']).toBe('un jour, 1 heure, 1 minute');
  expect(facts.Mémoire).toMatch(/^[\d,]+.[MG]o au total, dont [\d,]+.[MG]o pour les objets JavaScript$/);
});

test('a store of servers says so, and a size that is not known', async () => {
  const described = { kind: 'mongo', location: 'db.example.org/skilldock', version: '8.0.1' } as const;
  const describeStore = async () => ({ ...described, schemaVersion: 3, bytes: null });
  Object.assign(admin.deps.system, { describeStore });
  const text = await (await admin.signInAs('owner')).page('/system');
  expect(factsIn(text)).toMatchObject({
    Type: 'MongoDB 8.0.1',
    Location: described.location,
    Size: 'unknown',
  });
  expect(text).not.toContain('skilldock backup');
});

test('a store that fails does not take the page along', async () => {
  const describeStore = async () => {
    throw new AppError('STORE_UNAVAILABLE', 'The disk is <full>.');
  };
  Object.assign(admin.deps.system, { describeStore });
  const text = await (await admin.signInAs('owner')).page('/system');
  expect(text).toContain('<strong>The store does not answer.</strong> The disk is &lt;full&gt;.');
  expect(factsIn(text).Version).toBe('Skilldock 1.2.3');
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EncodingState } from '../../../src/domain/encoding.ts';
import type { MeaningState } from '../../../src/domain/meaning.ts';
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
  return Object.fromEntries(
    [...pairs].map(([, name, value]) => [name, value!.replace(/<[^>]*>/g, '').trim()]),
  );
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
    Memory: expect.stringMatching(/^[\d.]+ [MG]B in all, [\d.]+ [MG]B of it for JavaScript objects$/),
    Address: admin.url,
    'Data folder': admin.deps.system.dataDir,
    Meaning: expect.stringMatching(/^No model is installed: .* run: skilldock model install$/),
    Kind: `embedded, SQLite ${store.version}`,
    Where: store.location,
    Size: expect.stringMatching(/^[\d.]+ (?:kB|MB)$/),
    'Migrations applied': String(store.migrations),
    'Key id': admin.deps.system.secretKeyId(),
  });
  expect(text).toContain('skilldock secrets rotate');
  expect(text).toContain('skilldock backup FILE');
  expect(text).not.toContain(SECRET_KEY);
});

test.each<[MeaningState, RegExp]>([
  [{ kind: 'off' }, /^Switched off by MODEL=none/],
  [{ kind: 'loading', name: 'a-model' }, /^The model a-model is being loaded/],
  [{ kind: 'ready', name: 'a-model' }, /^The model a-model runs in this host/],
  [
    { kind: 'unusable', problem: 'It is damaged <b>.' },
    /^Searches go by words alone, .* It is damaged &lt;b&gt;\.$/,
  ],
  [
    { kind: 'service', name: 'a-model', address: 'api.example.org' },
    /^The service at api\.example\.org .* a-model/,
  ],
])('meaning: $kind', async (state, words) => {
  Object.assign(admin.deps.system, { describeMeaning: () => state });
  const owner = await admin.signInAs('owner');
  expect(factsIn(await owner.page('/system')).Meaning).toMatch(words);
  const isNamed = (await owner.page('')).includes('data-concern="meaning-unusable"');
  expect(isNamed).toBe(state.kind === 'unusable');
});

test('in French', async () => {
  const owner = await admin.signInAs('owner', null, { language: 'fr' });
  const facts = factsIn(await owner.page('/system'));
  expect(facts['En marche depuis']).toBe('un jour, 1 heure, 1 minute');
  expect(facts.Mémoire).toMatch(/^[\d,]+.[MG]o au total, dont [\d,]+.[MG]o pour les objets JavaScript$/);
});

test('a store of servers says so, and a size that is not known', async () => {
  const described = { kind: 'mongo', location: 'db.example.org/skilldock', version: '8.0.1' } as const;
  const describeStore = async () => ({ ...described, migrations: 3, bytes: null });
  Object.assign(admin.deps.system, { describeStore });
  const text = await (await admin.signInAs('owner')).page('/system');
  expect(factsIn(text)).toMatchObject({
    Kind: 'MongoDB 8.0.1',
    Where: described.location,
    Size: 'not known',
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

test.each<[string, Partial<EncodingState>, RegExp]>([
  ['nothing is known', { labels: { done: 0, total: 0 }, objects: { done: 0, total: 0 } }, /looked through/],
  ['it works', {}, /^1,000 of 2,000 labels and 10 of 40 objects so far, 120 a second\. .* About 3 minutes/],
  [
    'it has just begun',
    { secondsLeft: null, perSecond: null },
    /so far, – a second\. Searches use what there is\.$/,
  ],
  [
    'all is done',
    { labels: { done: 2_000, total: 2_000 }, objects: { done: 40, total: 40 }, secondsLeft: null },
    /^All 2,000 labels and 40 objects .* 1\.2 MB on the disk/,
  ],
  ['the disk is full', { problem: 'disk-full' }, /the disk is full/],
  ['files are unusable', { problem: 'files' }, /cannot be read or written/],
  ['the model fails', { problem: 'model' }, /the model does not answer/],
])('encoded where %s', async (_what, changes, words) => {
  const encoding: EncodingState = {
    ...{ labels: { done: 1_000, total: 2_000 }, objects: { done: 10, total: 40 } },
    ...{ perSecond: 123.4, secondsLeft: 170, bytes: 1_200_000, problem: null },
    ...changes,
  };
  Object.assign(admin.deps.system, {
    describeMeaning: () => ({ kind: 'ready', name: 'a-model' }),
    describeEncoding: () => encoding,
  });
  const owner = await admin.signInAs('owner');
  expect(factsIn(await owner.page('/system'))['Encoded for it']).toMatch(words);
});

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SearchNote } from '../../../src/services/host/insight.ts';
import { createInsight } from '../../../src/services/host/insight.ts';
import { tenant } from '../../contract/store/records.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { type OpenedServices, openServices } from '../../helpers/open-services.ts';

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(async () => {
  await services.close();
});

const good = { totalItems: 7, quality: 'A00' } as const;
const bad = { totalItems: 7, quality: 'B00' } as const;
const none = { totalItems: 0, quality: 'C00' } as const;

function ask(person: string, words: string, changes: Partial<SearchNote> = {}): void {
  services.insight.noteSearch({
    tenantId: 'default',
    words,
    person,
    result: good,
    isWatched: true,
    ...changes,
  });
}

const top = (by: 'asked' | 'poor' | 'unopened' = 'asked', days = 90) =>
  services.insight.listTop({ scope: null, kind: 'search', by, days, limit: 100 });
const shown = async (...given: Parameters<typeof top>) => (await top(...given)).map(({ title }) => title);

/** Asked by three in turn; what is gathered is stored after each. */
async function askByThree(words: string, changes: Partial<SearchNote> = {}): Promise<void> {
  for (const person of ['ada', 'bob', 'cy']) {
    ask(person, words, changes);
    await services.insight.flush();
  }
}

describe('words', () => {
  test('are known once three different people have asked, with all that was asked before', async () => {
    ask('ada', 'Tricot');
    ask('ada', 'tricot');
    ask('bob', '  TRICOT ');
    expect(await shown()).toEqual([]);
    services.clock.advance(31 * 60_000);
    ask('ada', 'tricot');
    expect(await shown()).toEqual([]);
    ask('cy', 'Trícot', { result: bad });
    expect(await top()).toMatchObject([
      { tenantId: 'default', name: 'tricot', title: 'Trícot', asked: 4, poor: 1, empty: 0, unopened: 4 },
    ]);
    ask('dan', 'tricot');
    expect(await top()).toMatchObject([{ asked: 5 }]);
  });

  test('of fewer people are nowhere in the store, nor are the people', async () => {
    await askByThree('data analysis');
    ask('ada', 'burnout at work');
    ask('lti:moodle:bob', 'burnout at work');
    await services.insight.flush();
    const { file } = services;
    const bytes = [file, `${file}-wal`].map((path) => readFileSync(path).toString('latin1')).join('');
    expect(bytes).toContain('data analysis');
    expect(bytes).not.toContain('burnout');
    expect(bytes).not.toContain('moodle:bob');
  });

  test('count people of linked accounts once', async () => {
    const owners = ['lti:moodle:ada', 'slack:T1:U1'].map((person) => ({ tenantId: 'default', person }));
    const code = await services.people.createLinkCode(owners[0]!);
    await services.people.link(owners[1]!, code.code);
    for (const { person } of owners) ask(person, 'tricot');
    ask('bob', 'tricot');
    expect(await shown()).toEqual([]);
    ask('cy', 'tricot');
    expect(await shown()).toEqual(['tricot']);
  });

  test('do not wait longer than a week', async () => {
    ask('ada', 'tricot');
    ask('bob', 'tricot');
    await services.insight.flush();
    services.clock.advance(7 * 86_400_000);
    ask('cy', 'tricot');
    expect(await shown()).toEqual([]);
    ask('dan', 'tricot');
    ask('eve', 'tricot');
    expect(await shown()).toEqual(['tricot']);
  });

  test('of one tenant are not known to another', async () => {
    await services.store.tenants.addTenant(tenant('lyon'));
    await askByThree('tricot');
    ask('dan', 'tricot', { tenantId: 'lyon' });
    expect(await top()).toMatchObject([{ tenantId: 'default', asked: 3 }]);
  });

  test('that an administrator searched for are kept, but not who asked before', async () => {
    ask('ada', 'tricot');
    await services.insight.flush();
    services.insight.keepWords('default', 'Tricot');
    expect(await shown()).toEqual([]);
    ask('bob', 'tricot');
    expect(await top()).toMatchObject([{ title: 'tricot', asked: 1 }]);
  });

  test.each([
    ...['ada@example.org', 'ada＠example.org', 'ada(at)example.org', 'ada [AT] example [dot] org'],
    ...['ada at example dot org', 'ada at example.org', 'ada_at_example_dot_org', 'ada arobase exemple point fr'],
    ...['call 06 12 34 56 78', '06_12_34_56_78', '+33 (0)6.12.34.56.78', '０６１２３４５６７８', '٠٦١٢٣٤٥٦٧٨'],
    ...['06:12:34:56:78', '06 – 12 – 34 – 56 – 78', '06\u200b12\u200b34\u200b56', `${'x '.repeat(48)}06 12 34 56 78`],
    ...['2026-11-23 12:00', '', ' \u200b '],
  ])('that may stand for a person are never kept: %j', async (words) => {
    await askByThree(words);
    services.insight.keepWords('default', words);
    ask('dan', words);
    expect(await top()).toEqual([]);
  });

  test.each(['at work', 'python 3.12', 'look at.', 'ISO 27001:2022', 'point de croix', 'C# (a beginner)', 'B2'])(
    'that only look like an address or a number are kept: %j',
    async (words) => {
      await askByThree(words);
      expect(await shown()).toEqual([words]);
    },
  );

  test('in wide letters are the same words', async () => {
    ask('ada', 'tricot');
    ask('bob', 'ＴＲＩＣＯＴ');
    ask('cy', 'Tricot');
    expect(await shown()).toEqual(['Tricot']);
  });

  test('are cut', async () => {
    await askByThree('long '.repeat(60));
    expect((await shown())[0]!.length).toBeLessThanOrEqual(100);
  });

  test('of a program cannot keep those of people out', async () => {
    for (let i = 0; i < 210; i++) ask('api', `word ${i}`);
    await services.insight.flush();
    for (const person of ['ada', 'bob']) for (const i of [0, 199, 200]) ask(person, `word ${i}`);
    expect(await shown()).toEqual(['word 0', 'word 199']);
  });
});

describe('searches', () => {
  test('say what found nothing, and what found nothing good', async () => {
    await askByThree('good');
    await askByThree('bad', { result: bad });
    await askByThree('none', { result: none });
    expect(await top('poor')).toMatchObject([
      { title: 'bad', poor: 3, empty: 0 },
      { title: 'none', poor: 3, empty: 3 },
    ]);
  });

  test('say after which nothing was looked into, where that is known', async () => {
    await askByThree('seen');
    await askByThree('unseen');
    await askByThree('none', { result: none });
    await askByThree('elsewhere', { isWatched: false });
    const look = (person: string, words: string) => services.insight.noteOpened({ tenantId: 'default', person, words });
    for (const person of ['ada', 'ada', 'bob', 'cy']) look(person, 'Seen');
    look('ada', 'unseen');
    look('ada', 'unseen');
    expect(await top('unopened')).toMatchObject([{ title: 'unseen', asked: 3, unopened: 2 }]);
  });

  test('are opened once, whenever that is, and only where that is known of them', async () => {
    const look = (words: string) => services.insight.noteOpened({ tenantId: 'default', person: 'ada', words });
    await askByThree('seen');
    look('seen');
    services.clock.advance(31 * 60_000);
    look('seen');
    await askByThree('elsewhere', { isWatched: false });
    await askByThree('none', { result: none });
    look('elsewhere');
    look('none');
    const sums = await top();
    expect(sums.map(({ title, unopened }) => [title, unopened])).toEqual([
      ['elsewhere', 0],
      ['none', 0],
      ['seen', 2],
    ]);
    const rows = await services.store.transfer.readRecords('insight', null, 100);
    expect(rows.map(({ record }) => record.unopened).sort()).toEqual([0, 0, 2]);
  });

  test('are never opened more often than they were made', async () => {
    await askByThree('tricot', { isWatched: false });
    // Searched for on another host, which stopped before it stored that.
    services.insight.noteOpened({ tenantId: 'default', person: 'dan', words: 'tricot' });
    expect(await top()).toMatchObject([{ asked: 3, unopened: 0 }]);
  });

  test('of the same person count once in half an hour', async () => {
    await askByThree('tricot');
    for (let i = 0; i < 3; i++) ask('ada', 'tricot');
    expect(await top()).toMatchObject([{ asked: 3 }]);
    services.clock.advance(30 * 60_000);
    ask('ada', 'tricot');
    expect(await top()).toMatchObject([{ asked: 4 }]);
  });

  test('are reported for the last days, and removed after ninety', async () => {
    await askByThree('tricot');
    services.clock.advance(7 * 86_400_000);
    await askByThree('couture');
    expect(await shown('asked', 7)).toEqual(['couture']);
    expect(await shown('asked', 30)).toEqual(['couture', 'tricot']);
    services.clock.advance(83 * 86_400_000);
    await services.insight.removeOld();
    const left = await services.store.transfer.readRecords('insight', null, 100);
    expect(left.map(({ record }) => record.name)).toEqual(['couture']);
  });
});

test('objects are counted as they are opened, placed and finished', async () => {
  const object = { url: 'https://a.example/1', title: 'One' };
  for (const counter of ['opened', 'opened', 'placed', 'finished'] as const)
    services.insight.noteObject('default', counter, object);
  services.insight.noteObject('default', 'opened', {
    url: `https://a.example/${'x'.repeat(3_000)}`,
    title: '',
  });
  const wanted = { scope: ['default'], kind: 'object', by: 'opened', days: 7, limit: 10 } as const;
  expect(await services.insight.listTop(wanted)).toMatchObject([
    { name: object.url, title: 'One', opened: 2, placed: 1, finished: 1 },
  ]);
});

test('what is noted is stored within two seconds, and when it closes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const insight = createInsight({
    insight: services.store.insight,
    people: services.store.people,
    keyring: services.keyring,
    clock: services.clock,
    onProblem: () => undefined,
  });
  vi.useRealTimers();
  insight.noteObject('default', 'placed', { url: 'https://a.example/1', title: 'One' });
  await insight.close();
  expect(await services.store.transfer.readRecords('insight', null, 10)).toHaveLength(1);
});

test('a store that cannot take it fails no search', async () => {
  const problems: unknown[] = [];
  const insight = createInsight({
    insight: { ...services.store.insight, addInsight: () => Promise.reject(new Error('full')) },
    people: services.store.people,
    keyring: services.keyring,
    clock: services.clock,
    onProblem: (error) => problems.push(error),
  });
  insight.noteObject('default', 'placed', { url: 'https://a.example/1', title: 'One' });
  await insight.flush();
  expect(problems).toHaveLength(1);
  await insight.close();
});

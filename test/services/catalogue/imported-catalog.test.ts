import { describe, expect, test } from 'vitest';
import { deadLink, linkCheck } from '../../contract/store/link-check-records.ts';
import { tester } from '../../helpers/open-services.ts';
import { concept, object, openEmptyStore, readAll, sourceOf, startHost } from './imports/import-samples.ts';

const open = () => startHost(openEmptyStore(), { batchSize: 1_000 });

describe('what was imported', () => {
  test('is laid over each other: of an object what the newest import says, of a concept what all say', async () => {
    const host = open();
    const run = (dataset: string, ...parts: Parameters<typeof sourceOf>[0]) =>
      host.imports.run(tester, sourceOf(parts, { dataset }), { allowRemoval: true });
    await run('b', object('x', 'b1'), object('y', 'b1'), concept('c', 'l', 'b1'));
    await run('a', object('x', 'a2'), concept('c', 'l', 'a2'), concept('c', 'm', 'a2'));
    const parts = async () => (await readAll(host)).map(({ key, parts: [first, ...rest] }) => [key, first, ...rest]);
    const c = ['c', { l: 'a2' }, { m: 'a2' }, { l: 'b1' }];
    expect(await parts()).toEqual([['x', { value: 'a2' }], ['y', { value: 'b1' }], c]);
    // What did not change stays as old as it was.
    await run('b', object('x', 'b1'), object('y', 'b3'), concept('c', 'l', 'b1'));
    expect(await parts()).toEqual([['x', { value: 'a2' }], ['y', { value: 'b3' }], c]);
    const { record } = await run('a', object('z', 'a4'));
    const left = [
      ['x', { value: 'b1' }],
      ['y', { value: 'b3' }],
      ['z', { value: 'a4' }],
      ['c', { l: 'b1' }],
    ];
    expect(await parts()).toEqual(left);
    await host.imports.undo(tester, record!.id);
    expect(await parts()).toEqual([['x', { value: 'a2' }], ['y', { value: 'b3' }], c]);
    // Whoever changed a concept last is heard first.
    await run('aa', concept('c', 'l', 'aa'));
    await run('b', object('x', 'b1'), object('y', 'b3'), concept('c', 'l', 'b5'));
    const [, , last] = await parts();
    expect(last).toEqual(['c', { l: 'b5' }, { l: 'aa' }, { l: 'a2' }, { m: 'a2' }]);
  });

  test('comes page by page: providers, objects, concepts, by the bytes of their keys', async () => {
    const host = open();
    const keys = ['A', 'a', 'é', '\uff21', '🐍', ...Array.from({ length: 2_100 }, (_, n) => `k${n + 1_000}`)];
    const ordered = keys.toSorted((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
    for (const [number, dataset] of ['a', 'b', 'c'].entries()) {
      const parts = keys.filter((_, index) => index % 3 === number).map((key) => object(key));
      await host.imports.run(tester, sourceOf([...parts, concept('0', 'l'), provider(`p${dataset}`)], { dataset }));
    }
    const read = (await readAll(host)).map(({ kind, key }) => `${kind} ${key}`);
    const providers = ['provider pa', 'provider pb', 'provider pc'];
    expect(read).toEqual([...providers, ...ordered.map((key) => `object ${key}`), 'concept 0']);
  });

  test('of a concept in very many parts, or very large ones, has what can be held', async () => {
    const host = open();
    const many = Array.from({ length: 5_100 }, (_, n) => concept('many', `${n + 1_000}`));
    const large = Array.from({ length: 50 }, (_, n) => concept('large', `${n}`, 'a'.repeat(200_000)));
    await host.imports.run(tester, sourceOf([...many, ...large, concept('small', 'l')]));
    const counts = (await readAll(host)).map(({ key, parts }) => [key, parts.length]);
    expect(counts).toEqual([
      ['large', 20],
      ['many', 5_000],
      ['small', 1],
    ]);
  });

  test('has another version when links die, and says which', async () => {
    const host = open();
    const { linkChecks } = host.store;
    expect(await host.catalog.version()).toBe('');
    await linkChecks.saveLinkChecks([linkCheck('https://a.example/1')]);
    expect(await host.catalog.version()).toBe('');
    await linkChecks.saveLinkChecks([deadLink('https://a.example/2'), deadLink('https://a.example/0')]);
    const withDead = await host.catalog.version();
    expect(withDead).not.toBe('');
    expect(await host.catalog.importsVersion()).toBe('');
    const dead: string[] = [];
    for await (const url of host.catalog.readDeadLinks()) dead.push(url);
    expect(dead).toEqual(['https://a.example/0', 'https://a.example/2']);
    await host.imports.run(tester, sourceOf([object('a')]));
    const version = await host.catalog.version();
    expect(version).not.toBe(withDead);
    const ofImports = await host.catalog.importsVersion();
    expect(ofImports).not.toBe('');
    await linkChecks.removeLinkChecks(['https://a.example/0']);
    expect(await host.catalog.version()).not.toBe(version);
    expect(await host.catalog.importsVersion()).toBe(ofImports);
  });
});

describe('what was imported since', () => {
  const MOST = 10;
  const startWith = async () => {
    const host = open();
    const run = async (dataset: string, ...parts: Parameters<typeof sourceOf>[0]) =>
      (await host.imports.run(tester, sourceOf(parts, { dataset }), { allowRemoval: true })).record!.id;
    const since = async (before: string, most = MOST) => {
      const found = await host.catalog.changesSince(before, most);
      return found && [...found.objects].map(([key, record]) => [key, record?.parts[0] ?? null]).sort();
    };
    return { host, run, since, now: () => host.catalog.importsVersion() };
  };

  test('is what the newest import says of each object that one of them changed', async () => {
    const { host, run, since, now } = await startWith();
    await run('a', object('x', 'a1'), object('y', 'a1'), object('same'));
    const before = await now();
    expect(await since(before)).toEqual([]);
    await run('b', object('x', 'b2'));
    await run('a', object('x', 'a1'), object('y', 'a3'), object('same'));
    const id = await run('a', object('x', 'a1'), object('same'));
    const all = [
      ['x', { value: 'b2' }],
      ['y', null],
    ];
    expect(await since(before)).toEqual(all);
    expect(await since('')).toEqual([['same', { value: 1 }], ...all]);
    expect((await host.catalog.changesSince(before, MOST))!.imports).toBe(await now());
    const later = await now();
    await host.imports.undo(tester, id);
    await host.imports.close();
    // Undone and cleared, it is still known what it was of.
    expect(await since(later)).toEqual([['y', { value: 'a3' }]]);
    expect(await since(await now())).toEqual([]);
  });

  test('has all providers where one is other', async () => {
    const { host, run, now } = await startWith();
    await run('a', provider('p1'), object('x'));
    const before = await now();
    await run('b', object('y'));
    expect((await host.catalog.changesSince(before, MOST))!.providers).toBeNull();
    await run('b', provider('p2'), object('y'));
    const { providers } = (await host.catalog.changesSince(before, MOST))!;
    expect(providers!.map(({ key }) => key)).toEqual(['p1', 'p2']);
  });

  test('is not told of concepts, of more than asked for, of what was cleared, and from an unknown time', async () => {
    const { host, run, since, now } = await startWith();
    await run('a', object('x', 0));
    const before = await now();
    await run('b', ...Array.from({ length: 4 }, (_, n) => object(`${n}`)));
    expect(await since(before, 4)).toHaveLength(4);
    expect(await since(before, 3)).toBeNull();
    for (const value of [1, 2, 3, 4, 5]) await run('a', object('x', value));
    expect(await since(before)).toHaveLength(5);
    await run('a', object('x', 6));
    await host.imports.close();
    expect(await since(before)).toBeNull();
    const withAll = await now();
    expect(await since('none')).toBeNull();
    const again = startHost(host.store);
    await again.imports.run(tester, sourceOf([concept('c', 'l')], { dataset: 'c' }));
    expect(await since(withAll)).toBeNull();
  });

  test('dead links are one set until one dies, and none where they are too many', async () => {
    const { host } = await startWith();
    const { linkChecks } = host.store;
    await linkChecks.saveLinkChecks(['1', '2'].map((n) => deadLink(`https://a.example/${n}`)));
    const dead = await host.catalog.listDeadLinks(2);
    expect(dead).toEqual(new Set(['https://a.example/1', 'https://a.example/2']));
    expect(await host.catalog.listDeadLinks(2)).toBe(dead);
    expect(await host.catalog.listDeadLinks(1)).toBeNull();
    await linkChecks.removeLinkChecks(['https://a.example/1']);
    expect(await host.catalog.listDeadLinks(2)).toEqual(new Set(['https://a.example/2']));
  });
});

const provider = (key: string) => ({ kind: 'provider', key, part: '', body: { key } }) as const;

import { describe, expect, test } from 'vitest';
import { deadLink, linkCheck } from '../contract/store/link-check-records.ts';
import { tester } from '../helpers/open-services.ts';
import { concept, object, openEmptyStore, readAll, sourceOf, startHost } from './imports/import-samples.ts';

const open = () => startHost(openEmptyStore(), { batchSize: 1_000 });

describe('what was imported', () => {
  test('is laid over each other: of an object what the newest import says, of a concept what all say', async () => {
    const host = open();
    const run = (dataset: string, ...parts: Parameters<typeof sourceOf>[0]) =>
      host.imports.run(tester, sourceOf(parts, { dataset }), { allowRemoval: true });
    await run('b', object('x', 'b1'), object('y', 'b1'), concept('c', 'l', 'b1'));
    await run('a', object('x', 'a2'), concept('c', 'l', 'a2'), concept('c', 'm', 'a2'));
    const parts = async () =>
      (await readAll(host)).map(({ key, parts: [first, ...rest] }) => [key, first, ...rest]);
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
      await host.imports.run(
        tester,
        sourceOf([...parts, concept('0', 'l'), provider(`p${dataset}`)], { dataset }),
      );
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

const provider = (key: string) => ({ kind: 'provider', key, part: '', body: { key } }) as const;

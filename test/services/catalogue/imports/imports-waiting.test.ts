import { expect, test } from 'vitest';
import type { ImportRecord } from '../../../../src/ports/store/store.ts';
import { tester } from '../../../helpers/open-services.ts';
import { object, openEmptyStore, readAll, sourceOf, startHost, type TestSource } from './import-samples.ts';

/** Sources that are read once they may be, and how often each had to rest. */
function createGatedSources() {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const rested: string[] = [];
  const sourceNamed = (dataset: string): TestSource =>
    sourceOf([object(dataset)], {
      dataset,
      beforeRow: () => gate,
      freeMemory: () => void rested.push(dataset),
    });
  return { sourceNamed, rested, open: () => open() };
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `set-${n + 10}`);

test('two imports are read at once, the others rest, wait and follow; what waits can be stopped', async () => {
  const host = startHost(openEmptyStore());
  const { sourceNamed, rested, open } = createGatedSources();
  const sources = numbered(5).map(sourceNamed);
  const begun: ImportRecord[] = [];
  for (const source of sources) begun.push(await host.imports.start(tester, source));
  await expect.poll(() => sources.map(({ rowsRead }) => rowsRead.length)).toEqual([0, 0, 0, 0, 0]);
  expect(begun.map(({ id }) => host.imports.isWaiting(id))).toEqual([false, false, true, true, true]);
  expect(rested).toEqual(['set-12', 'set-13', 'set-14']);
  const stopped = await host.imports.stop(tester, begun[3]!.id);
  expect(stopped).toMatchObject({ state: 'stopped', problem: 'It was stopped by Ada.' });
  open();
  const states = () => Promise.all(begun.map(async ({ id }) => (await host.imports.getImport(id)).state));
  await expect.poll(states).toEqual(['live', 'live', 'live', 'stopped', 'live']);
  expect(sources[3]!.rowsRead).toEqual([]);
  expect((await readAll(host)).map(({ key }) => key)).toEqual(['set-10', 'set-11', 'set-12', 'set-14']);
  expect(host.problems).toEqual([]);
});

test('twenty wait, and the next is refused with words, until one has ended', async () => {
  const host = startHost(openEmptyStore());
  const { sourceNamed, open } = createGatedSources();
  const begun: ImportRecord[] = [];
  for (const dataset of numbered(22)) begun.push(await host.imports.start(tester, sourceNamed(dataset)));
  const refused = host.imports.start(tester, sourceNamed('one-more'));
  await expect(refused).rejects.toMatchObject({
    code: 'IMPORTS_TOO_MANY',
    message: expect.stringContaining('Nothing was begun'),
  });
  await host.imports.stop(tester, begun[21]!.id);
  await host.imports.start(tester, sourceNamed('one-more'));
  open();
  await expect.poll(async () => (await readAll(host)).length).toBe(22);
});

test('a host that ends stops those that wait as well', async () => {
  const host = startHost(openEmptyStore());
  const { sourceNamed } = createGatedSources();
  for (const dataset of numbered(4)) await host.imports.start(tester, sourceNamed(dataset));
  await host.imports.close();
  const { items } = await host.imports.listImports({ page: 0, pageSize: 10 });
  expect(items.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped', 'stopped']);
});

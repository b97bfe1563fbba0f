import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CatalogPart } from '../../../../src/domain/catalog.ts';
import type { ImportedRecord } from '../../../../src/ports/imports.ts';
import type { Store } from '../../../../src/ports/store/store.ts';
import type { ImportReport } from '../../../../src/services/catalogue/imports/import-records.ts';
import { createStandingClock, type StandingClock } from '../../../fakes/clock.ts';
import { propertyRuns } from '../../../helpers/draw.ts';
import { tester } from '../../../helpers/open-services.ts';
import {
  concept,
  killedAt,
  LEASE_OVER_MS,
  object,
  readAll,
  readEverything,
  sourceOf,
  startHost,
} from './import-samples.ts';

const value = fc.integer({ min: 0, max: 1 });

/** Few keys, so that they meet: in one source, in several, and of two kinds. */
const part = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), value).map(([key, each]) => object(key, each)),
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('l:en', 'l:fr', 'x'), value)
    .map(([key, name, each]) => concept(key, name, each)),
);

const dataset = fc.constantFrom('autumn', 'spring');

const covers = fc.oneof({ weight: 3, arbitrary: fc.constant(['']) }, fc.constantFrom([], ['l:'], ['l:fr', 'x']));

interface Given {
  readonly dataset: string;
  readonly covers: readonly string[];
  readonly parts: readonly CatalogPart[];
}

const given: fc.Arbitrary<Given> = fc.record({ dataset, covers, parts: fc.array(part, { maxLength: 9 }) });

/** Whatever goes: that is tested elsewhere. */
const allowed = { allowRemoval: true };

const toSource = ({ parts, ...rest }: Given) => sourceOf(parts, rest);

/** What must come out: the plainest way to say it, with everything in memory. */
interface Layer {
  readonly number: number;
  readonly bodies: Map<string, { readonly part: CatalogPart; readonly number: number }>;
}

const textOf = ({ kind, key, part }: CatalogPart) => JSON.stringify([kind, key, part]);

function importInto({ bodies }: Pick<Layer, 'bodies'>, source: Given, number: number): Layer['bodies'] {
  const wanted = new Map(source.parts.map((each) => [textOf(each), each]));
  const after = new Map(bodies);
  for (const [text, { part }] of bodies) {
    if (!wanted.has(text) && source.covers.some((name) => part.part.startsWith(name))) after.delete(text);
  }
  for (const [text, each] of wanted) {
    if (JSON.stringify(after.get(text)?.part.body) !== JSON.stringify(each.body))
      after.set(text, { part: each, number });
  }
  return after;
}

/** Of a concept all that the datasets say, the one that changed it last first; of an object what
 *  that one says. */
function lay(datasets: ReadonlyMap<string, Layer['bodies']>): ImportedRecord[] {
  const records = new Map<string, { kind: CatalogPart['kind']; key: string; said: Said[] }>();
  for (const bodies of datasets.values()) {
    const ordered = [...bodies.values()].toSorted((x, y) => (x.part.part < y.part.part ? -1 : 1));
    const own = new Map<string, Said>();
    for (const { part, number } of ordered) {
      const { kind, key } = part;
      const id = `${kind === 'object' ? 1 : 2} ${key}`;
      const said = own.get(id) ?? { number: 0, parts: [] };
      own.set(id, { number: Math.max(said.number, number), parts: [...said.parts, part.body] });
      records.set(id, records.get(id) ?? { kind, key, said: [] });
    }
    for (const [id, said] of own) records.get(id)!.said.push(said);
  }
  return [...records]
    .toSorted(([x], [y]) => (x < y ? -1 : 1))
    .map(([, { kind, key, said }]) => {
      const parts = said.toSorted((x, y) => y.number - x.number).map((each) => each.parts);
      return { kind, key, parts: kind === 'concept' ? parts.flat() : parts[0]! };
    });
}

/** What one dataset says of a record. */
interface Said {
  readonly number: number;
  readonly parts: readonly CatalogPart['body'][];
}

/** An import that is killed again and again, at calls that come `steps` after one another, and
 *  begun again. */
async function runKilled(store: Store, clock: StandingClock, source: Given, steps: readonly number[]) {
  const deaths: unknown[] = [];
  for (const calls of steps) {
    const repository = killedAt(store.imports, calls);
    const { imports } = startHost(store, { clock, repository });
    const isDone = await imports.run(tester, toSource(source), allowed).then(
      () => true,
      (error: unknown) => deaths.push(error) === 0,
    );
    if (isDone) break;
    clock.advance(LEASE_OVER_MS);
  }
  return startHost(store, { clock }).imports.run(tester, toSource(source), allowed);
}

const outcomeOf = ({ record, ...rest }: ImportReport) => ({
  ...rest,
  state: record?.state,
  resumedFrom: null,
});

async function entriesOf(store: Store) {
  const entries = await store.transfer.readRecords('importEntries', null, 1_000);
  return entries.map(({ record: { importNumber: _, ...entry } }) => entry);
}

/** What holds for any sources in any order, on any store. */
export function describeImportProperties(open: () => Store | Promise<Store>, numRuns: number): void {
  test('killed at any moment and begun again, ends as if it had not been killed', async () => {
    const steps = fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 5 });
    const property = fc.asyncProperty(given, given, steps, async (first, second, deaths) => {
      const clock = createStandingClock();
      const [whole, broken] = [startHost(await open(), { clock }), startHost(await open(), { clock })];
      const then = { ...second, dataset: first.dataset };
      for (const host of [whole, broken]) await host.imports.run(tester, toSource(first), allowed);
      const expected = await whole.imports.run(tester, toSource(then), allowed);
      const report = await runKilled(broken.store, clock, then, deaths);
      expect(await readAll(broken)).toEqual(await readAll(whole));
      expect(await entriesOf(broken.store)).toEqual(await entriesOf(whole.store));
      // Where it was killed behind the switch, it had come to its end, and the last run found
      // nothing new.
      const [last] = await broken.store.imports.listImports({ page: 0, pageSize: 1 }).then(({ items }) => items);
      if (report.record!.state === expected.record!.state) expect(outcomeOf(report)).toEqual(outcomeOf(expected));
      else expect(last).toMatchObject({ state: 'unchanged', counts: { added: 0, changed: 0, removed: 0 } });
    });
    await fc.assert(property, propertyRuns(numRuns, 2));
  });

  test('gives what counts, import by import; dry runs say it before, undoing brings it back', async () => {
    const property = fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 9 }), async (sources) => {
      const host = startHost(await open());
      const datasets = new Map<string, Layer['bodies']>();
      const history: { id: string; dataset: string; before: Layer['bodies'] }[] = [];
      for (const [index, source] of sources.entries()) {
        const [before, version] = [await readEverything(host.store), await host.catalog.version()];
        const dry = await host.imports.run(tester, toSource(source), { dryRun: true });
        expect(await readEverything(host.store)).toEqual(before);
        const read = await readAll(host);
        const real = await host.imports.run(tester, toSource(source), allowed);
        expect(outcomeOf({ ...dry, isDryRun: false })).toEqual({ ...outcomeOf(real), state: undefined });
        const bodies = datasets.get(source.dataset) ?? new Map();
        datasets.set(source.dataset, importInto({ bodies }, source, index + 1));
        expect(await readAll(host)).toEqual(lay(datasets));
        const isOther = JSON.stringify(await readAll(host)) !== JSON.stringify(read);
        const isOtherVersion = (await host.catalog.version()) !== version;
        if (isOther) expect(isOtherVersion).toBe(true);
        expect(isOtherVersion).toBe(real.record!.state === 'live');
        if (real.record!.state === 'live')
          history.push({ id: real.record!.id, dataset: source.dataset, before: bodies });
      }
      for (const { id, dataset: name, before } of history.toReversed()) {
        const { isUndoable } = await host.imports.getImport(id);
        const newer = history.slice(history.findIndex((each) => each.id === id) + 1);
        expect(isUndoable).toBe(newer.filter((each) => each.dataset === name).length < 5);
        if (!isUndoable) continue;
        await host.imports.undo(tester, id);
        datasets.set(name, before);
        expect(await readAll(host)).toEqual(lay(datasets));
      }
      await host.imports.close();
      expect(host.problems).toEqual([]);
    });
    await fc.assert(property, propertyRuns(numRuns, 2));
  });
}

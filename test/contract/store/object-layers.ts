import { describe, expect, test } from 'vitest';
import { EVERY_TENANT, type ObjectChange } from '../../../src/ports/store/store.ts';
import { type OpenStore, race } from './opened-store.ts';
import { at, awkwardText, longText } from './records.ts';

/** An object that is hidden. */
export const objectChange = (address: string, changes: Partial<ObjectChange> = {}): ObjectChange => ({
  tenantId: 'lyon',
  address,
  url: `https://${address}`,
  state: { isAdded: false, isHidden: true, isWaiting: false, fields: {} },
  before: null,
  suggestedBy: null,
  changedBy: 'Ada',
  changedAt: at(1),
  version: 1,
  ...changes,
});

export function describeObjectLayers(open: OpenStore): void {
  const openWith = async (changes: readonly ObjectChange[] = []) => {
    const { store, openAnother } = await open();
    for (const change of changes) expect(await store.objectLayers.saveObjectChange(change)).toBe(true);
    return { repository: store.objectLayers, store, openAnother };
  };

  describe('changes of objects', () => {
    test('come back as they were saved, each in its tenant', async () => {
      const edited = { isAdded: false, isHidden: false, isWaiting: false, fields: { title: awkwardText } };
      const kept = [
        objectChange(awkwardText, { url: awkwardText, changedBy: awkwardText }),
        objectChange('a.example/1', { before: edited, suggestedBy: awkwardText }),
        objectChange('a.example/1', {
          tenantId: EVERY_TENANT,
          state: {
            ...edited,
            fields: { ...edited.fields, level: null, minutes: 90, type: ['video'], free: false },
          },
        }),
        objectChange(longText, { tenantId: 'paris' }),
      ];
      const { repository } = await openWith(kept);
      for (const change of kept)
        expect(await repository.findObjectChange(change.tenantId, change.address)).toEqual(change);
      expect(await repository.findObjectChange('paris', 'a.example/1')).toBeNull();
      expect(await repository.findObjectChange(EVERY_TENANT, longText)).toBeNull();
    });

    test('are read by tenant, in the order of their addresses, page by page', async () => {
      const addresses = ['b', 'a b', 'é', 'B', 'a', '🐍'];
      const { repository } = await openWith([
        ...addresses.map((address) => objectChange(address)),
        objectChange('a', { tenantId: 'lyon-2' }),
      ]);
      const sorted = addresses.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const read: string[] = [];
      for (let after: string | null = null; ; after = read.at(-1) ?? null) {
        const page = await repository.readObjectChanges('lyon', after, 2);
        if (page.length === 0) break;
        expect(page.length).toBe(2);
        read.push(...page.map(({ address }) => address));
      }
      expect(read).toEqual(sorted);
      expect(await repository.readObjectChanges(EVERY_TENANT, null, 10)).toEqual([]);
    });

    test('are replaced where the version before stands, and by one of several at once', async () => {
      const { repository, store, openAnother } = await openWith([objectChange('a')]);
      const handles = [store, await openAnother()] as const;
      expect(await repository.saveObjectChange(objectChange('a', { changedBy: 'Bob' }))).toBe(false);
      expect(await repository.saveObjectChange(objectChange('a', { version: 3 }))).toBe(false);
      expect(await repository.saveObjectChange(objectChange('b', { version: 2 }))).toBe(false);
      for (const [address, version] of [
        ['a', 2],
        ['new', 1],
      ] as const) {
        const saved = await race([...handles], 6, ({ objectLayers }, number) =>
          objectLayers.saveObjectChange(objectChange(address, { version, changedBy: `${number}` })),
        );
        expect(saved.filter(Boolean)).toHaveLength(1);
        const found = await repository.findObjectChange('lyon', address);
        expect(found).toMatchObject({ version, changedBy: `${saved.indexOf(true)}` });
      }
    });

    test('each make another version of the layer of their tenant, and of no other', async () => {
      const { repository, openAnother } = await openWith([objectChange('a', { tenantId: 'paris' })]);
      const other = (await openAnother()).objectLayers;
      const read = () => other.readObjectLayerVersions(['lyon', 'paris', EVERY_TENANT]);
      const first = await read();
      expect([...first.keys()]).toEqual(['paris']);
      const seen = new Set<string | undefined>();
      for (const change of [
        objectChange('a'),
        objectChange('b'),
        objectChange('a', { version: 2 }),
        objectChange('a', { version: 3 }),
      ]) {
        expect(await repository.saveObjectChange(change)).toBe(true);
        const now = await read();
        seen.add(now.get('lyon'));
        expect(now.get('paris')).toBe(first.get('paris'));
        expect(await read()).toEqual(now);
      }
      expect(seen.size).toBe(4);
      expect(await repository.readObjectLayerVersions([])).toEqual(new Map());
      await repository.saveObjectChange(objectChange('a', { tenantId: EVERY_TENANT }));
      expect((await read()).size).toBe(3);
    });
  });
}

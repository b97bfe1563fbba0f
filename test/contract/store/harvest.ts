import { describe, expect, test } from 'vitest';
import type { HarvestRecord } from '../../../src/ports/store/store.ts';
import type { OpenStore } from './opened-store.ts';
import { at } from './records.ts';

export const harvestRecord = (identifier: string, changes: Partial<HarvestRecord> = {}): HarvestRecord => ({
  identifier,
  url: `https://a.example/${identifier}`,
  providerId: 'a',
  hash: 'h',
  changedAt: at(1),
  isDeleted: false,
  ...changes,
});

export function describeHarvest(open: OpenStore): void {
  const openHarvest = async (records: readonly HarvestRecord[]) => {
    const { harvest } = (await open()).store;
    await harvest.saveHarvest(records);
    return harvest;
  };
  const identify = ({ identifier }: HarvestRecord) => identifier;

  describe('harvest', () => {
    test('lists records by identifier, of a provider and a period, its end excluded', async () => {
      const records = [
        harvestRecord('c', { changedAt: at(3), isDeleted: true }),
        harvestRecord('a'),
        harvestRecord('b', { changedAt: at(2), providerId: 'b' }),
      ];
      const harvest = await openHarvest(records);
      const list = async (...given: Parameters<typeof harvest.readHarvest>) =>
        (await harvest.readHarvest(...given)).map(identify);
      expect(await list('', 10)).toEqual(['a', 'b', 'c']);
      expect(await list('a', 1)).toEqual(['b']);
      const period = { from: at(1), until: at(3), providerId: null };
      expect(await list('', 10, period)).toEqual(['a', 'b']);
      expect(await list('', 10, { ...period, providerId: 'b' })).toEqual(['b']);
      expect(await harvest.countHarvest(period)).toBe(2);
      expect(await harvest.findHarvest(['c', 'd'])).toEqual([records[0]]);
    });

    test('replaces a record of the same identifier', async () => {
      const harvest = await openHarvest([harvestRecord('a')]);
      const changed = harvestRecord('a', { hash: 'i', changedAt: at(5) });
      await harvest.saveHarvest([changed]);
      expect(await harvest.readHarvest('', 10)).toEqual([changed]);
    });

    test('holds the published version apart from the records', async () => {
      const harvest = await openHarvest([]);
      expect(await harvest.findHarvestVersion()).toBe('');
      expect(await harvest.findEarliestHarvest()).toBeNull();
      await harvest.saveHarvestVersion('1', at(1));
      await harvest.saveHarvest([harvestRecord('a', { changedAt: at(2) })]);
      expect(await harvest.findHarvestVersion()).toBe('1');
      expect(await harvest.findEarliestHarvest()).toEqual(at(2));
      expect(await harvest.countHarvest({ from: null, until: null, providerId: null })).toBe(1);
    });
  });
}

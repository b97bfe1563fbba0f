import { describeRecord, field, is, type OpenRecords, type Period, type RecordOf } from './record.ts';

export const harvestRecords = describeRecord('harvest', {
  fields: {
    /** Identifier from the address of the object; empty for the record of the version (`hash`). */
    identifier: field.text(),
    url: field.text(),
    providerId: field.text(),
    /** SHA-256 of the published data of the object, base64url. */
    hash: field.text(),
    /** Exact to the second. */
    changedAt: field.instant,
    isDeleted: field.flag,
  },
  impersonal: 'identifier url providerId hash changedAt isDeleted',
  key: ['identifier'],
  indexes: [['changedAt'], ['providerId', 'identifier']],
  loss: 'moments',
});

/** What harvesters read of an object: when it changed, and whether it is gone. */
export type HarvestRecord = RecordOf<typeof harvestRecords>;

export interface HarvestSelection extends Period {
  /** Null for all providers. */
  readonly providerId: string | null;
}

const NO_PERIOD: HarvestSelection = { from: null, until: null, providerId: null };

function toHarvestCondition({ providerId, ...period }: HarvestSelection, after: string) {
  const isOfProvider = providerId === null ? {} : { providerId };
  return { identifier: is.above(after), changedAt: is.within(period), ...isOfProvider };
}

export function createHarvestRepository(open: OpenRecords) {
  const records = open(harvestRecords);
  return {
    /** Adds or replaces at most 1,000 records by their identifiers. */
    saveHarvest: (changed: readonly HarvestRecord[]) => records.put(changed),
    /** Finds records by at most 1,000 identifiers. */
    findHarvest: (identifiers: readonly string[]) => records.find({ where: { identifier: is.oneOf(identifiers) } }),
    /** Reads records after `after` in the order of their identifiers, at most `limit`. */
    readHarvest: (after: string, limit: number, selection: HarvestSelection = NO_PERIOD) =>
      records.find({ where: toHarvestCondition(selection, after), limit }),
    countHarvest: (selection: HarvestSelection) => records.count(toHarvestCondition(selection, '')),
    /** Returns when the first record changed; null if there is none. */
    async findEarliestHarvest(): Promise<Date | null> {
      const where = { identifier: is.above('') };
      const [first] = await records.find({ where, order: ['changedAt'], limit: 1 });
      return first?.changedAt ?? null;
    },
    /** Returns the version of the catalogue that was published last; empty at first. */
    findHarvestVersion: async () => (await records.get({ identifier: '' }))?.hash ?? '',
    saveHarvestVersion: (hash: string, changedAt: Date) =>
      records.put([{ identifier: '', url: '', providerId: '', hash, changedAt, isDeleted: false }]),
  };
}

import { describeRecord, field, is, type OpenRecords, type Period, type RecordOf } from './record.ts';

export const harvestRecords = describeRecord('harvest', {
  fields: {
    /** Made of the address of the object; empty for the record that holds the version in `hash`. */
    identifier: field.text(),
    url: field.text(),
    providerId: field.text(),
    /** SHA-256 of the published data of the object, base64url. */
    hash: field.text(),
    /** Of a whole second. */
    changedAt: field.instant,
    isDeleted: field.flag,
  },
  impersonal: 'identifier url providerId hash changedAt isDeleted',
  key: ['identifier'],
  indexes: [['changedAt'], ['providerId', 'identifier']],
  loss: 'moments',
});

/** What harvesters are told of an object: when it changed, and whether it is gone. */
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
    /** Adds or replaces by their identifiers; at most 1,000. */
    saveHarvest: (changed: readonly HarvestRecord[]) => records.put(changed),
    /** At most 1,000. */
    findHarvest: (identifiers: readonly string[]) => records.find({ where: { identifier: is.oneOf(identifiers) } }),
    /** By identifier, those after `after`, at most `limit`. */
    readHarvest: (after: string, limit: number, selection: HarvestSelection = NO_PERIOD) =>
      records.find({ where: toHarvestCondition(selection, after), limit }),
    countHarvest: (selection: HarvestSelection) => records.count(toHarvestCondition(selection, '')),
    /** When the first record changed; null if there is none. */
    async findEarliestHarvest(): Promise<Date | null> {
      const where = { identifier: is.above('') };
      const [first] = await records.find({ where, order: ['changedAt'], limit: 1 });
      return first?.changedAt ?? null;
    },
    /** The version of the catalogue that was published last; empty at first. */
    findHarvestVersion: async () => (await records.get({ identifier: '' }))?.hash ?? '',
    saveHarvestVersion: (hash: string, changedAt: Date) =>
      records.put([{ identifier: '', url: '', providerId: '', hash, changedAt, isDeleted: false }]),
  };
}

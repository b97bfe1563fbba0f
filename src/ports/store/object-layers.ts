import type { ObjectEdits } from '#domain/object-fields';
import { describeRecord, field, is, KEY, type OpenRecords, type RecordOf } from './record.ts';

/** The tenant id of changes that all tenants see. */
export const EVERY_TENANT = '*';

export interface ObjectState {
  /** The catalogue does not have the object; `fields` are all of its fields. */
  readonly isAdded: boolean;
  readonly isHidden: boolean;
  /** A suggestion that nobody has decided on; searches ignore it. */
  readonly isWaiting: boolean;
  /** Changed fields only. */
  readonly fields: ObjectEdits;
}

export const objectChangeRecords = describeRecord('objectChanges', {
  fields: {
    /** A tenant id or EVERY_TENANT. */
    tenantId: field.text(),
    /** Normalized (`normalizeObjectAddress`); the key within the tenant. */
    address: field.text(),
    url: field.text(),
    state: field.json<ObjectState>(),
    /** State before the last change; null if the object was unchanged. */
    before: field.nullable(field.json<ObjectState>()),
    /** Name of who suggested the change; null if it was not a suggestion. */
    suggestedBy: field.nullable(field.text()),
    /** Name as in the audit trail. */
    changedBy: field.text(),
    changedAt: field.instant,
    version: field.integer,
  },
  personal: { signature: 'suggestedBy changedBy', about: 'changedAt' },
  impersonal: 'tenantId address url state before version',
  privacy: { seenBy: ['admins'], kept: 'tenant', erasure: 'pseudonym' },
  key: ['tenantId', 'address'],
  indexes: [['tenantId', 'version', 'changedAt'], { fields: ['tenantId', KEY], in: 'mongo' }],
});

/** Changes of one object for one tenant or for all, on top of the imported data. Removed only with
 *  the tenant, so that each change can be undone. */
export type ObjectChange = RecordOf<typeof objectChangeRecords>;
export type ObjectLayerRepository = ReturnType<typeof createObjectLayerRepository>;

export function createObjectLayerRepository(open: OpenRecords) {
  const records = open(objectChangeRecords);
  return {
    /** Adds version 1, or replaces the previous version. Returns false if another one is stored. */
    saveObjectChange: (change: ObjectChange) =>
      records.putIf(change, change.version === 1 ? null : { version: change.version - 1 }),
    findObjectChange: (tenantId: string, address: string) => records.get({ tenantId, address }),
    /** Reads changes after `after` in the order of addresses, at most `limit` (1 to 1,000). */
    readObjectChanges: (tenantId: string, after: string | null, limit: number) =>
      records.find({ where: { tenantId }, after: after === null ? null : { tenantId, address: after }, limit }),
    /** Returns a text for each tenant with changes, which changes with them. Cheap. */
    async readObjectLayerVersions(tenantIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const where = { tenantId: is.oneOf(tenantIds) };
      const fields = { sum: 'version', latest: 'changedAt' } as const;
      const sums = await records.summarize(['tenantId'], where, fields);
      return new Map(sums.map(({ tenantId, sum, latest }) => [tenantId, `${sum}-${latest?.getTime()}`]));
    },
  };
}

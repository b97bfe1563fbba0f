import type { ObjectEdits } from '#domain/object-fields';
import { describeRecord, field, is, KEY, type OpenRecords, type RecordOf } from './record.ts';

/** In the place of a tenant: what counts for every tenant. */
export const EVERY_TENANT = '*';

/** What stands over the object of one address. */
export interface ObjectState {
  /** Whether it is there because of this; `fields` are then all of them. */
  readonly isAdded: boolean;
  readonly isHidden: boolean;
  /** Suggested, and nobody has said yes or no so far: it is not found. */
  readonly isWaiting: boolean;
  /** Over those of the catalogue, only those that were changed. */
  readonly fields: ObjectEdits;
}

export const objectChangeRecords = describeRecord('objectChanges', {
  fields: {
    /** Of a tenant, or EVERY_TENANT. */
    tenantId: field.text(),
    /** As `normalizeObjectAddress` writes it; the key within the tenant. */
    address: field.text(),
    url: field.text(),
    state: field.json<ObjectState>(),
    /** What counted before the last change; null where nothing was. */
    before: field.nullable(field.json<ObjectState>()),
    /** Who suggested it, by name; null where nobody did. */
    suggestedBy: field.nullable(field.text()),
    /** As the audit trail names them. */
    changedBy: field.text(),
    changedAt: field.instant,
    /** 1 when it is added, one more with each change. */
    version: field.integer,
  },
  key: ['tenantId', 'address'],
  indexes: [['tenantId', 'version', 'changedAt'], { fields: ['tenantId', KEY], in: 'mongo' }],
});

/** What people changed of one object, for one tenant or for all: a layer over whatever is imported.
 *  None is ever removed while its tenant is there, so that each change can be undone. */
export type ObjectChange = RecordOf<typeof objectChangeRecords>;

export type ObjectLayerRepository = ReturnType<typeof createObjectLayerRepository>;

export function createObjectLayerRepository(open: OpenRecords) {
  const records = open(objectChangeRecords);
  return {
    /** Replaces the previous version; version 1 adds it. False when another version is stored. */
    saveObjectChange: (change: ObjectChange) =>
      records.putIf(change, change.version === 1 ? null : { version: change.version - 1 }),
    /** Null when there is none in this tenant. */
    findObjectChange: (tenantId: string, address: string) => records.get({ tenantId, address }),
    /** In the order of addresses (UTF-8 bytes) after `after`, at most `limit` (1 to 1,000). */
    readObjectChanges: (tenantId: string, after: string | null, limit: number) =>
      records.find({
        where: { tenantId },
        after: after === null ? null : { tenantId, address: after },
        limit,
      }),
    /** A text for each tenant with changes, which changes with them. Cheap: called with
     *  searches. */
    async readObjectLayerVersions(tenantIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const where = { tenantId: is.oneOf(tenantIds) };
      const fields = { sum: 'version', latest: 'changedAt' } as const;
      const sums = await records.summarize(['tenantId'], where, fields);
      return new Map(sums.map(({ tenantId, sum, latest }) => [tenantId, `${sum}-${latest?.getTime()}`]));
    },
  };
}

import type Database from 'libsql';
import {
  latestEndOf,
  type RateCounterRepository,
  type ShelfRecord,
  type StoreParts,
  shelfRecords,
  type UsageCount,
} from '#ports/store/store';
import { prepareLater, type Tidy } from './database.ts';
import { statementsOf } from './records.ts';
import { tableOf } from './table.ts';

/** Counts are collected before they are written. A count of a tenant that was removed meanwhile is
 *  dropped here, as it must not make the others fail. */
export function createUsageAddition(database: Database.Database): StoreParts['addUsage'] {
  const add = prepareLater(
    database,
    `INSERT INTO usage (tenant_id, day, metric, count) SELECT id, ?, ?, ? FROM tenants WHERE id = ?
     ON CONFLICT (tenant_id, day, metric) DO UPDATE SET count = count + excluded.count`,
  );
  const addAll = database.transaction((counts: readonly UsageCount[]) => {
    for (const { tenantId, day, metric, count } of counts) add.run(day, metric, count, tenantId);
  });
  return async (counts) => {
    if (counts.length > 0) addAll.immediate(counts);
  };
}

export function createShelfAddition(database: Database.Database): StoreParts['addToShelf'] {
  const table = tableOf(shelfRecords);
  const ofOwner = 'FROM shelf WHERE tenant_id = ? AND person = ?';
  const count = prepareLater(database, `SELECT count(*) AS total ${ofOwner}`);
  const one = prepareLater(database, `SELECT 1 ${ofOwner} AND address = ?`);
  const insert = prepareLater(database, statementsOf(table).insert);
  const add = database.transaction((record: ShelfRecord, capacity: number) => {
    const { tenantId, person, address } = record;
    if (one.get(tenantId, person, address) !== undefined) return 'kept';
    if ((count.get(tenantId, person) as { total: number }).total >= capacity) return 'full';
    insert.run(table.toValues(record));
    return 'added';
  });
  return async (record, capacity) => add.immediate(record, capacity);
}

interface WindowRow {
  readonly points: number;
  readonly expires_at: number;
}

export function createRateCounterRepository(database: Database.Database, tidy: Tidy): RateCounterRepository {
  const add = prepareLater(
    database,
    `INSERT INTO rate_windows (name, points, expires_at) VALUES (:name, :points, :expiresAt)
     ON CONFLICT (name) DO UPDATE SET
       points = excluded.points + iif(expires_at > :now AND expires_at <= :latest, points, 0),
       expires_at = iif(expires_at > :now AND expires_at <= :latest, expires_at, excluded.expires_at)
     RETURNING points, expires_at`,
  );
  const toCount = (row: WindowRow) => ({ points: row.points, expiresAt: new Date(row.expires_at) });
  return {
    async addRatePoints(name, points, { now, expiresAt }) {
      tidy(now);
      const latest = latestEndOf(expiresAt).getTime();
      const times = { now: now.getTime(), expiresAt: expiresAt.getTime(), latest };
      return toCount(add.get({ name, points, ...times }) as WindowRow);
    },
  };
}

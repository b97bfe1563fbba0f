import type Database from 'libsql';
import { ltiLinkRecords, type PlacedCount, type PlacedLinks, placementRecords } from '#ports/store/store';
import { prepareLater } from './database.ts';
import { tableOf } from './table.ts';

/** A link that a notice announced, and that was launched since under another id. */
const isReplaced = "l.resource_link_id = '' AND l.context_id IS NULL";

const placed = `placements p JOIN lti_links l ON l.tenant_id = p.tenant_id AND l.placement_id = p.id AND NOT (${isReplaced})`;

const ltiLinks = tableOf(ltiLinkRecords);
const placements = tableOf(placementRecords);

export function createPlacedLinks(database: Database.Database): PlacedLinks {
  const addresses = prepareLater(
    database,
    `SELECT p.id, p.derived_url AS url, EXISTS (
        SELECT 1 FROM lti_links l WHERE l.tenant_id = p.tenant_id AND l.placement_id = p.id AND NOT (${isReplaced})
      ) OR NOT EXISTS (
        SELECT 1 FROM lti_links l WHERE l.tenant_id = p.tenant_id AND l.registration_id = p.registration_id
          AND l.context_id IS p.context_id AND l.chosen_id = p.id
      ) AS isPlaced
      FROM placements p WHERE p.id > ? ORDER BY p.id LIMIT ?`,
  );
  // With MIN, SQLite takes the other values from the row that has it.
  const counts = prepareLater(
    database,
    `SELECT p.tenant_id AS tenantId, p.derived_url AS url, json_extract(p.object, '$.title') AS title, MIN(p.id) AS first,
        COUNT(DISTINCT json_array(l.registration_id, ifnull(l.context_id, json_array(l.id)))) AS courses, COUNT(*) AS links
      FROM ${placed}
      WHERE p.derived_url IN (SELECT value FROM json_each(:urls))
        AND (:scope IS NULL OR p.tenant_id IN (SELECT value FROM json_each(:scope)))
      GROUP BY p.derived_url, p.tenant_id ORDER BY p.derived_url, p.tenant_id`,
  );
  const ofUrl = prepareLater(
    database,
    `SELECT l.id FROM ${placed} WHERE p.derived_url = ? AND p.tenant_id = ? ORDER BY l.id LIMIT ?`,
  );
  const link = prepareLater(database, `SELECT ${ltiLinks.fields} FROM lti_links WHERE id = ?`);
  const findPlacement = prepareLater(
    database,
    `SELECT ${placements.fields} FROM placements WHERE tenant_id = ? AND id = ?`,
  );
  // With MAX, SQLite takes the other values from the row that has it.
  const mostChosen = prepareLater(
    database,
    `SELECT object, MAX(placed_at) AS last, COUNT(DISTINCT json_array(registration_id, context_id)) AS courses
      FROM placements WHERE tenant_id = ? GROUP BY derived_url ORDER BY courses DESC, derived_url LIMIT ?`,
  );
  return {
    listMostChosen: async (tenantId, limit) =>
      (mostChosen.all(tenantId, limit) as { object: string; courses: number }[]).map(({ object, courses }) => ({
        object: JSON.parse(object),
        courses,
      })),
    async readPlacedAddresses(after, limit) {
      const rows = addresses.all(after ?? '', limit) as { id: string; url: string; isPlaced: number }[];
      const urls = rows.flatMap(({ url, isPlaced }) => (isPlaced === 1 ? [url] : []));
      return { urls, after: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
    },
    countPlacedLinks: async (scope, urls) =>
      (counts.all({ scope: scope && JSON.stringify(scope), urls: JSON.stringify(urls) }) as PlacedCount[]).map(
        ({ tenantId, url, title, courses, links }) => ({ tenantId, url, title, courses, links }),
      ),
    listPlacedLinks: async (tenantId, url, limit) =>
      (ofUrl.all(url, tenantId, limit) as { id: string }[]).map(({ id }) => {
        const record = ltiLinks.toRecord(link.get(id));
        return { link: record, placement: placements.toRecord(findPlacement.get(tenantId, record.placementId)) };
      }),
  };
}

import type Database from 'libsql';
import type { Placement } from '../../../../domain/lti/placement.ts';
import type { LtiLinkRecord, PlacedCount, PlacementRepository } from '../../../../ports/store/store.ts';
import { instant, integer, json, nullable, text } from '../columns.ts';
import { defineTable } from '../table.ts';

export const placements = defineTable<Placement>('placements', {
  columns: {
    id: text(),
    tenantId: text(),
    registrationId: text(),
    contextId: nullable(text()),
    person: text(),
    object: json(),
    address: text(),
    requestId: nullable(text()),
    title: text(),
    completion: text(),
    points: nullable(integer),
    placedAt: instant,
  },
  derived: { url: ({ object }) => object.url },
});

const newest = 'ORDER BY placed_at DESC, id LIMIT ?';

export function createPlacementRepository(database: Database.Database): PlacementRepository {
  const insert = database.prepare(placements.insert);
  const one = database.prepare(placements.select('WHERE tenant_id = ? AND id = ?'));
  const ofCourse = database.prepare(
    placements.select(`WHERE tenant_id = ? AND registration_id = ? AND context_id = ? ${newest}`),
  );
  const ofOthers = database.prepare(placements.select(`WHERE tenant_id = ? AND person <> ? ${newest}`));
  // With MAX, SQLite takes the other values from the row that has it.
  const mostChosen = database.prepare(
    `SELECT object, MAX(placed_at) AS last, COUNT(DISTINCT json_array(registration_id, context_id)) AS courses
      FROM placements WHERE tenant_id = ? GROUP BY url ORDER BY courses DESC, url LIMIT ?`,
  );
  const addAll = database.transaction((records: readonly Placement[]) => {
    for (const record of records) insert.run(placements.toValues(record));
  });
  return {
    ...createLtiLinks(database),
    ...createPlacedLinks(database),
    async addPlacements(records) {
      if (records.length > 0) addAll.immediate(records);
    },
    findPlacement: async (tenantId, id) => placements.toRecordOrNull(one.get(tenantId, id)),
    listPlacementsOfContext: async ({ tenantId, registrationId, contextId }, limit) =>
      ofCourse.all(tenantId, registrationId, contextId, limit).map(placements.toRecord),
    listPlacementsOfOthers: async (tenantId, person, limit) =>
      ofOthers.all(tenantId, person, limit).map(placements.toRecord),
    listMostChosen: async (tenantId, limit) =>
      (mostChosen.all(tenantId, limit) as { object: string; courses: number }[]).map(
        ({ object, courses }) => ({ object: JSON.parse(object), courses }),
      ),
  };
}

export const ltiLinks = defineTable<LtiLinkRecord>('lti_links', {
  columns: {
    id: text(),
    tenantId: text(),
    registrationId: text(),
    deploymentId: text(),
    contextId: nullable(text()),
    resourceLinkId: text(),
    copiedFrom: nullable(text()),
    chosenId: nullable(text()),
    title: nullable(text()),
    placementId: text(),
    firstOpenedAt: instant,
  },
});

type LtiLinks = Pick<
  PlacementRepository,
  | 'openLink'
  | 'findLink'
  | 'listLinksOfCourses'
  | 'listLinksOfResources'
  | 'takeToldLink'
  | 'replaceLinkPlacement'
>;

const MOST_OF_RESOURCES = 200;

function createLtiLinks(database: Database.Database): LtiLinks {
  // An existing row is set to its own value, because RETURNING gives only rows that were written.
  const open = database.prepare(
    `${ltiLinks.insert} ON CONFLICT (id) DO UPDATE SET id = id RETURNING ${ltiLinks.fields}`,
  );
  const one = database.prepare(ltiLinks.select('WHERE tenant_id = ? AND id = ?'));
  const ofCourses = database.prepare(
    ltiLinks.select(`WHERE tenant_id = ? AND registration_id = ?
      AND context_id IN (SELECT value FROM json_each(?)) AND chosen_id IS coalesce(?, chosen_id) AND id > ?
      ORDER BY id LIMIT ?`),
  );
  const ofResources = database.prepare(
    ltiLinks.select(`WHERE tenant_id = ? AND registration_id = ?
      AND resource_link_id IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ${MOST_OF_RESOURCES}`),
  );
  const take = database.prepare(
    'UPDATE lti_links SET context_id = NULL WHERE tenant_id = ? AND id = ? AND context_id IS NOT NULL',
  );
  const replace = database.prepare('UPDATE lti_links SET placement_id = ? WHERE tenant_id = ? AND id = ?');
  return {
    openLink: async (record) => ltiLinks.toRecord(open.get(ltiLinks.toValues(record))),
    findLink: async (tenantId, id) => ltiLinks.toRecordOrNull(one.get(tenantId, id)),
    listLinksOfCourses: async ({ tenantId, registrationId, contextIds, chosenId, after, limit }) =>
      ofCourses
        .all(tenantId, registrationId, JSON.stringify(contextIds), chosenId, after ?? '', limit)
        .map(ltiLinks.toRecord),
    listLinksOfResources: async ({ tenantId, registrationId, resourceLinkIds }) =>
      ofResources.all(tenantId, registrationId, JSON.stringify(resourceLinkIds)).map(ltiLinks.toRecord),
    takeToldLink: async (tenantId, linkId) => take.run(tenantId, linkId).changes === 1,
    replaceLinkPlacement: async (tenantId, linkId, placementId) =>
      replace.run(placementId, tenantId, linkId).changes === 1,
  };
}

/** A notice told of it, and it was launched since under another id. */
const isTaken = "l.resource_link_id = '' AND l.context_id IS NULL";

const placed = `placements p JOIN lti_links l ON l.tenant_id = p.tenant_id AND l.placement_id = p.id AND NOT (${isTaken})`;

type PlacedLinks = Pick<PlacementRepository, 'readPlacedAddresses' | 'countPlacedLinks' | 'listPlacedLinks'>;

function createPlacedLinks(database: Database.Database): PlacedLinks {
  const addresses = database.prepare(
    `SELECT p.id, p.url, EXISTS (
        SELECT 1 FROM lti_links l WHERE l.tenant_id = p.tenant_id AND l.placement_id = p.id AND NOT (${isTaken})
      ) OR NOT EXISTS (
        SELECT 1 FROM lti_links l WHERE l.tenant_id = p.tenant_id AND l.registration_id = p.registration_id
          AND l.context_id IS p.context_id AND l.chosen_id = p.id
      ) AS isPlaced
      FROM placements p WHERE p.id > ? ORDER BY p.id LIMIT ?`,
  );
  // With MIN, SQLite takes the other values from the row that has it.
  const counts = database.prepare(
    `SELECT p.tenant_id AS tenantId, p.url, json_extract(p.object, '$.title') AS title, MIN(p.id) AS first,
        COUNT(DISTINCT json_array(l.registration_id, ifnull(l.context_id, json_array(l.id)))) AS courses, COUNT(*) AS links
      FROM ${placed}
      WHERE p.url IN (SELECT value FROM json_each(:urls))
        AND (:scope IS NULL OR p.tenant_id IN (SELECT value FROM json_each(:scope)))
      GROUP BY p.url, p.tenant_id ORDER BY p.url, p.tenant_id`,
  );
  const ofUrl = database.prepare(
    `SELECT l.id FROM ${placed} WHERE p.url = ? AND p.tenant_id = ? ORDER BY l.id LIMIT ?`,
  );
  const link = database.prepare(ltiLinks.select('WHERE id = ?'));
  const behind = database.prepare(placements.select('WHERE tenant_id = ? AND id = ?'));
  return {
    async readPlacedAddresses(after, limit) {
      const rows = addresses.all(after ?? '', limit) as { id: string; url: string; isPlaced: number }[];
      const urls = rows.flatMap(({ url, isPlaced }) => (isPlaced === 1 ? [url] : []));
      return { urls, after: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
    },
    countPlacedLinks: async (scope, urls) =>
      (
        counts.all({ scope: scope && JSON.stringify(scope), urls: JSON.stringify(urls) }) as PlacedCount[]
      ).map(({ tenantId, url, title, courses, links }) => ({ tenantId, url, title, courses, links })),
    listPlacedLinks: async (tenantId, url, limit) =>
      (ofUrl.all(url, tenantId, limit) as { id: string }[]).map(({ id }) => {
        const record = ltiLinks.toRecord(link.get(id));
        return { link: record, placement: placements.toRecord(behind.get(tenantId, record.placementId)) };
      }),
  };
}

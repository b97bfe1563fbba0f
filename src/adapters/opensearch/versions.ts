import { omitUndefined } from '#domain/omit-undefined';
import type { LiveSegment } from '#engine/objects/segment/segment';
import { sampleVocabularyTerms } from '#engine/objects/segment/vocabulary-segment';
import type { ExternalIndex, ExternalVersion } from '../local/versions/version-objects.ts';
import { sendDocuments } from './bulk.ts';
import { type AskOptions, type OpenSearch, repeatUntilAnswered } from './client.ts';
import { createIndexBody, type IndexShape } from './documents.ts';
import { createCatalogError, createPartialError, isIndexMissing } from './errors.ts';
import { findWordTerm } from './word-scores.ts';

interface VersionsOptions extends IndexShape {
  readonly client: OpenSearch;
  /** The prefix of the names of all indexes of this deployment. */
  readonly prefix: string;
  readonly maxBulkBytes?: number;
}

/** The versions of a catalogue, each with an index `<prefix>-<version>`. The current one has the
 *  alias `<prefix>`. Documents are sent to the alias `<prefix>-<version>-in`. */
export interface Versions extends Omit<ExternalIndex, 'open'> {
  indexOf(version: string): string;
  /** Rejects with CATALOG_UNAVAILABLE also if some documents are missing. */
  requireFilled(index: string): Promise<void>;
  /** Drops the cached checks of an index that turned out to be missing. */
  forget(index: string): void;
}

interface Deployment extends VersionsOptions {
  readonly send: OpenSearch['ask'];
  /** Times of the last checks in which an index had all documents. */
  readonly completeAt: Map<string, number>;
  /** Times of the last checks in which an index was filled. */
  readonly filledAt: Map<string, number>;
}

export function openVersions(options: VersionsOptions): Versions {
  const { client, prefix } = options;
  const send: OpenSearch['ask'] = (request) => client.ask({ ...request, timeoutMs: ADMIN_MS });
  const completeAt = new Map<string, number>();
  const filledAt = new Map<string, number>();
  const deployment: Deployment = { ...options, send, completeAt, filledAt };
  const indexOf = (version: string) => `${prefix}-${version}`;
  const forget = (index: string) => {
    completeAt.delete(index);
    filledAt.delete(index);
  };
  return {
    indexOf,
    hasVersion: (version, documents) => isCompleteVersion(deployment, indexOf(version), documents),
    select: (version, documents) => selectVersionIndex(deployment, indexOf(version), documents),
    fill: (version, signal) => fillVersionIndex(deployment, indexOf(version.name), version, signal),
    examine: ({ name, words }) => examineVersionIndex(deployment, indexOf(name), words),
    async drop(version) {
      forget(indexOf(version));
      await send({ method: 'DELETE', path: `/${indexOf(version)}`, alsoStatus: NOT_FOUND });
    },
    requireFilled: (index) => requireFilledVersion(deployment, index),
    forget,
  };
}

const ADMIN_MS = 60_000;
/** How long an index counts as complete or filled; hosts check every second or two. */
const RECENT_MS = 30_000;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;

const isRecentCheck = (time = 0) => Date.now() - time < RECENT_MS;

async function isCompleteVersion(deployment: Deployment, index: string, documents: number): Promise<boolean> {
  const { client, completeAt } = deployment;
  if (client.problem === null && isRecentCheck(completeAt.get(index))) return true;
  const meta = (await readVersionMetas(deployment)).get(index);
  const isWhole = meta?.documents === documents && (await countVersionDocuments(deployment, index)) === documents;
  if (isWhole) completeAt.set(index, Date.now());
  return isWhole;
}

async function selectVersionIndex(deployment: Deployment, index: string, documents: number): Promise<boolean> {
  if (!(await isCompleteVersion(deployment, index, documents))) return false;
  const isCurrent = (await listCurrentVersionIndexes(deployment)).includes(index);
  if (!isCurrent) await makeVersionCurrent(deployment, index, documents);
  return true;
}

async function requireFilledVersion(deployment: Deployment, index: string): Promise<void> {
  const { client, completeAt, filledAt } = deployment;
  // The check for imports runs so often that searches seldom have to check.
  if (isRecentCheck(completeAt.get(index)) || isRecentCheck(filledAt.get(index))) return;
  const meta = (await readVersionMetas({ ...deployment, send: client.ask })).get(index);
  if (meta?.documents === undefined)
    throw createCatalogError(
      'unfilled',
      'The learning objects are being brought to the catalogue. Search again in a while.',
    );
  filledAt.set(index, Date.now());
}

async function examineVersionIndex(deployment: Deployment, index: string, words: LiveSegment): Promise<string | null> {
  const meta = (await readVersionMetas(deployment)).get(index);
  if (meta === undefined) return `There is no ${index}.`;
  if (meta.documents === undefined) return `${index} was not filled to its end.`;
  return findVersionDifference(deployment, index, words);
}

async function fillVersionIndex(
  deployment: Deployment,
  index: string,
  { path, words }: ExternalVersion,
  signal: AbortSignal,
): Promise<void> {
  const { client, maxBulkBytes } = deployment;
  // All requests may be repeated.
  const send = <T>(request: AskOptions) =>
    repeatUntilAnswered(() => client.ask<T>({ ...request, timeoutMs: ADMIN_MS, isBackground: true, signal }), signal);
  const patient = { ...deployment, send };
  // This request fails at once if the server is unavailable; only later ones wait for it.
  await checkServerVersion(client);
  await createVersionIndex(patient, index);
  await sendDocuments(client, { index: nameInlet(index), path, signal, ...omitUndefined({ maxBytes: maxBulkBytes }) });
  await send({ method: 'POST', path: `/${index}/_refresh` });
  const difference = await findVersionDifference(patient, index, words);
  if (difference !== null) throw createCatalogError('failed', difference);
  await makeVersionCurrent(patient, index, words.liveCount);
  // One segment is searched in two thirds of the time. The node merges in the background.
  const merge = { max_num_segments: 1, wait_for_completion: false };
  await send({ method: 'POST', path: `/${index}/_forcemerge`, query: merge });
  await pruneVersionIndexes(patient, index);
}

const nameInlet = (index: string) => `${index}-in`;

async function createVersionIndex(deployment: Deployment, index: string, tries = 2): Promise<void> {
  const { send } = deployment;
  const body = { ...createIndexBody(deployment), aliases: { [nameInlet(index)]: {} } };
  const request = { method: 'PUT', path: `/${index}`, body, alsoStatus: BAD_REQUEST } as const;
  const { status } = await send<{ status?: number }>(request);
  if (status === undefined || (await readVersionMetas(deployment)).has(index)) return;
  if (tries === 1)
    throw createCatalogError('failed', `The index ${index} cannot be made. The log of the node says why.`);
  await send({ method: 'DELETE', path: `/${index}`, alsoStatus: NOT_FOUND });
  await createVersionIndex(deployment, index, tries - 1);
}

interface IndexMeta {
  /** Their number, which is set after all of them have been sent. */
  readonly documents?: number;
  /** ISO 8601 */
  readonly currentSince?: string;
}

async function readVersionMetas(deployment: Deployment): Promise<ReadonlyMap<string, IndexMeta>> {
  const mappingsByIndex = await deployment.send<Record<string, { mappings?: { _meta?: IndexMeta } }>>({
    method: 'GET',
    path: `/${deployment.prefix}-*/_mapping`,
    query: { filter_path: '*.mappings._meta,*.mappings.dynamic', allow_no_indices: true },
  });
  const ours = Object.entries(mappingsByIndex).filter(([name]) => isIndexOfCatalogue(deployment, name));
  return new Map(ours.map(([name, { mappings }]) => [name, mappings?._meta ?? {}]));
}

/** Matches an index name without its prefix, but not those of a deployment with a longer prefix. */
const VERSION = /^-[0-9a-f]{16}-(starter|[0-9a-f]{16})$/;

const isIndexOfCatalogue = ({ prefix }: Deployment, name: string): boolean =>
  name.startsWith(prefix) && VERSION.test(name.slice(prefix.length));

async function countVersionDocuments({ send }: Deployment, index: string, query?: object): Promise<number> {
  const body = query === undefined ? {} : { query };
  const request = { method: 'POST', path: `/${index}/_count`, body } as const;
  const { count: total, _shards } = await send<{ count: number; _shards?: { failed: number } }>(request);
  // Documents on an unavailable shard are not missing: the index need not be filled again.
  if ((_shards?.failed ?? 0) > 0) throw createPartialError();
  return total;
}

const COMPARED_TERMS = 20;

/** Compares the number of documents, and the numbers for some terms from all over the alphabet.
 *  Returns a sentence about the difference; null if there is none. */
async function findVersionDifference(
  deployment: Deployment,
  index: string,
  words: LiveSegment,
): Promise<string | null> {
  const total = await countVersionDocuments(deployment, index);
  if (total !== words.liveCount) return `${index} has ${total} documents, and not ${words.liveCount}.`;
  for (const [term, documents] of sampleVocabularyTerms(words.segment, COMPARED_TERMS)) {
    const actual = await countVersionDocuments(deployment, index, findWordTerm(term));
    if (actual !== documents) return `${index} has ${actual} documents with "${term}", and not ${documents}.`;
  }
  return null;
}

async function listCurrentVersionIndexes(deployment: Deployment): Promise<readonly string[]> {
  const { prefix, send } = deployment;
  // A user may have no rights for indexes with other prefixes.
  const path = `/${prefix}-*/_alias/${prefix}`;
  const aliasesByIndex = await send<object>({ method: 'GET', path, alsoStatus: NOT_FOUND });
  return Object.keys(aliasesByIndex).filter((name) => isIndexOfCatalogue(deployment, name));
}

/** Makes an index current. If a host is killed after the first step, it counts as not filled. */
async function makeVersionCurrent(deployment: Deployment, index: string, documents: number): Promise<void> {
  await switchVersionAlias(deployment, index);
  const meta: IndexMeta = { documents, currentSince: new Date().toISOString() };
  await deployment.send({ method: 'PUT', path: `/${index}/_mapping`, body: { _meta: meta } });
}

/** Moves the alias in one step, and tries again if another host has moved it meanwhile. */
async function switchVersionAlias(deployment: Deployment, index: string, tries = 3): Promise<void> {
  const { send, prefix: alias } = deployment;
  const replaced = (await listCurrentVersionIndexes(deployment)).filter((each) => each !== index);
  const actions = [...replaced.map((each) => ({ remove: { index: each, alias } })), { add: { index, alias } }];
  try {
    await send({ method: 'POST', path: '/_aliases', body: { actions } });
  } catch (error) {
    if (tries === 1 || !isIndexMissing(error)) throw error;
    await switchVersionAlias(deployment, index, tries - 1);
  }
}

/** Keeps the current version, the one before it, and one of a release that may still run. */
async function pruneVersionIndexes(deployment: Deployment, current: string): Promise<void> {
  const readBase = (name: string) => name.slice(0, name.lastIndexOf('-'));
  const metas = [...(await readVersionMetas(deployment))].sort(([, a], [, b]) =>
    (a.currentSince ?? '') < (b.currentSince ?? '') ? 1 : -1,
  );
  const filled = metas.filter(([, { documents }]) => documents !== undefined).map(([name]) => name);
  const unfilled = metas.map(([name]) => name).filter((name) => !filled.includes(name));
  const sameBase = filled.filter((name) => readBase(name) === readBase(current) && name !== current);
  const otherBases = filled.filter((name) => readBase(name) !== readBase(current));
  const unused = [...sameBase.slice(1), ...otherBases.slice(1), ...(await listAbandonedVersions(deployment, unfilled))];
  if (unused.length > 0)
    await deployment.send({ method: 'DELETE', path: `/${unused.join(',')}`, query: { ignore_unavailable: true } });
}

/** The age of an abandoned index: another host may still be filling a younger one. */
const ABANDONED_MS = 24 * 3_600_000;

async function listAbandonedVersions({ send }: Deployment, indexes: readonly string[]): Promise<readonly string[]> {
  if (indexes.length === 0) return [];
  const settingsByIndex = await send<Record<string, { settings: { index: { creation_date: string } } }>>({
    method: 'GET',
    path: `/${indexes.join(',')}/_settings`,
    query: { ignore_unavailable: true },
  });
  const createdAt = (index: string) => Number(settingsByIndex[index]?.settings.index.creation_date ?? Number.NaN);
  return indexes.filter((index) => Date.now() - createdAt(index) > ABANDONED_MS);
}

export interface CatalogState {
  readonly version: string;
  /** The health of the current version's index: `green`, `yellow` or `red`. */
  readonly health: string;
  /** The number of documents of the current version; 0 if there is none yet. */
  readonly documents: number;
}

/** Describes the server and the current version. Errors: CATALOG_UNAVAILABLE, also for an
 *  unsupported release. @param alias that of the current version */
export async function describeVersions(client: OpenSearch, alias: string): Promise<CatalogState> {
  const version = await checkServerVersion(client);
  const counting = { method: 'GET', path: `/${alias}/_count`, alsoStatus: NOT_FOUND } as const;
  const { status: missing, count = 0 } = await client.ask<{ status?: number; count?: number }>(counting);
  const path = `/_cluster/health${missing === undefined ? `/${alias}` : ''}`;
  const { status } = await client.ask<{ status: string }>({ method: 'GET', path, query: { level: 'cluster' } });
  return { version, health: status, documents: count };
}

/** Returns the release of the server. Errors: CATALOG_UNAVAILABLE, also for an unsupported one. */
async function checkServerVersion(client: OpenSearch): Promise<string> {
  const request = { method: 'GET', path: '/' } as const;
  const { version } = await client.ask<{ version: { number: string; distribution?: string } }>(request);
  refuseUnsupportedVersion(version);
  return version.number;
}

const OLDEST = { major: 2, minor: 11 };
const FIRST_UNSUPPORTED_MAJOR = 4;

/** Throws CATALOG_UNAVAILABLE for an unsupported release, and for another product. */
export function refuseUnsupportedVersion({ number, distribution }: { number: string; distribution?: string }): void {
  const [major = 0, minor = 0] = number.split('.').map(Number);
  const isOldEnough = major < FIRST_UNSUPPORTED_MAJOR;
  const isNewEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
  if (distribution === 'opensearch' && isOldEnough && isNewEnough) return;
  throw createCatalogError(
    'version',
    `CATALOG_URL leads to ${distribution ?? 'something that is not OpenSearch'}, version ${number}. OpenSearch from ${OLDEST.major}.${OLDEST.minor} to 3.x can be used.`,
  );
}

import type { LiveSegment } from '#engine/objects/segment/segment';
import { listCommonTerms } from '#engine/objects/segment/vocabulary-segment';
import type { ObjectsStore } from '../local/versions/objects-store.ts';
import { sendDocuments } from './bulk.ts';
import type { Ask, OpenSearch } from './client.ts';
import { checkVersion } from './describe.ts';
import { createCatalogError, isIndexMissing } from './explain.ts';
import { insist } from './insist.ts';
import { createIndexBody, type IndexShape } from './mapping.ts';
import { findTerm } from './words.ts';

export interface VersionsOptions extends IndexShape {
  readonly client: OpenSearch;
  /** Of the names of all that this deployment has. */
  readonly prefix: string;
  /** Of a request that sends documents. */
  readonly maxBulkBytes?: number;
}

/** The indexes of a deployment: `<prefix>-<version>` each, and `<prefix>` for the current one. */
export interface Versions extends Omit<ObjectsStore, 'open'> {
  nameOf(version: string): string;
  /** Errors: CATALOG_UNAVAILABLE, also where not all of it has been brought there yet. */
  requireFilled(name: string): Promise<void>;
  /** An index that was not there: it is looked for again at once. */
  forget(name: string): void;
}

/** Queries whose counts say that an index has what was sent. */
const GOLDEN_QUERIES = 20;
const ADMIN_MS = 60_000;
/** Others may still be filling an index that is younger. */
const ABANDONED_MS = 24 * 3_600_000;
const EXISTS = 400;
const MISSING = 404;
/** Hosts look every two seconds. */
const SEEN_MS = 30_000;
/** Ends the names of versions: those of a deployment whose prefix begins like ours have more between. */
const VERSION = /^-[0-9a-f]{16}-(starter|[0-9a-f]{16})$/;

interface Meta {
  /** Present once all of it is there. */
  readonly documents?: number;
  /** As a date of ISO 8601. */
  readonly currentSince?: string;
}

type Send = OpenSearch['ask'];

export function createVersions({ client, prefix, maxBulkBytes, ...shape }: VersionsOptions): Versions {
  const nameOf = (version: string) => `${prefix}-${version}`;
  const isOwn = (name: string) => name.startsWith(prefix) && VERSION.test(name.slice(prefix.length));
  /** Documents are sent through it. */
  const inletOf = (name: string) => `${name}-in`;
  /** When each was seen to be whole. */
  const seen = new Map<string, number>();
  /** When each was seen to have been filled. */
  const filled = new Map<string, number>();
  const isRecent = (at = 0) => Date.now() - at < SEEN_MS;
  const look: Send = (ask) => client.ask({ ...ask, timeoutMs: ADMIN_MS });
  const workUntil =
    (signal: AbortSignal): Send =>
    <T>(ask: Ask) =>
      insist(() => client.ask<T>({ ...ask, timeoutMs: ADMIN_MS, isWork: true, signal }), signal);

  async function readMeta(send: Send): Promise<ReadonlyMap<string, Meta>> {
    const found = await send<Record<string, { mappings?: { _meta?: Meta } }>>({
      ...{ method: 'GET', path: `/${prefix}-*/_mapping` },
      query: { filter_path: '*.mappings._meta,*.mappings.dynamic', allow_no_indices: true },
    });
    const own = Object.entries(found).filter(([name]) => isOwn(name));
    return new Map(own.map(([name, { mappings }]) => [name, mappings?._meta ?? {}]));
  }

  async function count(send: Send, name: string, query?: object): Promise<number> {
    const body = query === undefined ? {} : { query };
    const { count: found } = await send<{ count: number }>({ method: 'POST', path: `/${name}/_count`, body });
    return found;
  }

  /** Made by whoever is first. */
  async function create(send: Send, name: string): Promise<void> {
    const body = { ...createIndexBody(shape), aliases: { [inletOf(name)]: {} } };
    const { status } = await send<{ status?: number }>({
      ...{ method: 'PUT', path: `/${name}`, body, alsoStatus: EXISTS },
    });
    if (status === undefined || (await readMeta(send)).has(name)) return;
    throw createCatalogError('failed', `The index ${name} cannot be made. The log of the node says why.`);
  }

  /** By the number of documents, and that of some words all over the alphabet. */
  async function findDifference(send: Send, name: string, words: LiveSegment): Promise<string | null> {
    const found = await count(send, name);
    if (found !== words.liveCount) return `${name} has ${found} documents, and not ${words.liveCount}.`;
    for (const [term, documents] of listCommonTerms(words.segment, GOLDEN_QUERIES)) {
      const own = await count(send, name, findTerm(term));
      if (own !== documents) return `${name} has ${own} documents with "${term}", and not ${documents}.`;
    }
    return null;
  }

  /** Names of what the alias is for: one, or none yet. */
  async function listCurrent(send: Send): Promise<readonly string[]> {
    // Among our own: a user may have no rights for others.
    const path = `/${prefix}-*/_alias/${prefix}`;
    const found = await send<object>({ method: 'GET', path, alsoStatus: MISSING });
    return Object.keys(found).filter(isOwn);
  }

  /** Whole is what was found to be current: who is ended between the two leaves it to be brought again. */
  async function makeCurrent(send: Send, name: string, documents: number): Promise<void> {
    await switchAlias(send, name);
    const meta: Meta = { documents, currentSince: new Date().toISOString() };
    await send({ method: 'PUT', path: `/${name}/_mapping`, body: { _meta: meta } });
  }

  /** All at once; again where another host did so meanwhile. */
  async function switchAlias(send: Send, name: string, tries = 3): Promise<void> {
    const others = (await listCurrent(send)).filter((each) => each !== name);
    const actions = [
      ...others.map((index) => ({ remove: { index, alias: prefix } })),
      { add: { index: name, alias: prefix } },
    ];
    try {
      await send({ method: 'POST', path: '/_aliases', body: { actions } });
    } catch (error) {
      if (tries === 1 || !isIndexMissing(error)) throw error;
      await switchAlias(send, name, tries - 1);
    }
  }

  /** Keeps the current one and the one before it, of this program and of another one that may still be running. */
  async function prune(send: Send, current: string): Promise<void> {
    const baseOf = (name: string) => name.slice(0, name.lastIndexOf('-'));
    const known = [...(await readMeta(send))].sort(([, a], [, b]) =>
      (a.currentSince ?? '') < (b.currentSince ?? '') ? 1 : -1,
    );
    const whole = known.filter(([, { documents }]) => documents !== undefined).map(([name]) => name);
    const own = whole.filter((name) => baseOf(name) === baseOf(current) && name !== current);
    const others = whole.filter((name) => baseOf(name) !== baseOf(current));
    const unfinished = known.filter(([name]) => !whole.includes(name)).map(([name]) => name);
    const gone = [...own.slice(1), ...others.slice(1), ...(await listAbandoned(send, unfinished))];
    if (gone.length > 0)
      await send({ method: 'DELETE', path: `/${gone.join(',')}`, query: { ignore_unavailable: true } });
  }

  async function listAbandoned(send: Send, names: readonly string[]): Promise<readonly string[]> {
    if (names.length === 0) return [];
    const found = await send<Record<string, { settings: { index: { creation_date: string } } }>>({
      ...{ method: 'GET', path: `/${names.join(',')}/_settings`, query: { ignore_unavailable: true } },
    });
    const isOld = (name: string) =>
      Date.now() - Number(found[name]?.settings.index.creation_date ?? Number.NaN) > ABANDONED_MS;
    return names.filter(isOld);
  }

  async function hasVersion(version: string, documents: number): Promise<boolean> {
    const name = nameOf(version);
    if (client.problem === null && isRecent(seen.get(name))) return true;
    const meta = (await readMeta(look)).get(name);
    const isWhole = meta?.documents === documents && (await count(look, name)) === documents;
    if (isWhole) seen.set(name, Date.now());
    return isWhole;
  }

  return {
    nameOf,
    hasVersion,
    async select(version, documents) {
      if (!(await hasVersion(version, documents))) return false;
      const name = nameOf(version);
      if (!(await listCurrent(look)).includes(name)) await makeCurrent(look, name, documents);
      return true;
    },
    async examine({ name, words }) {
      const meta = (await readMeta(look)).get(nameOf(name));
      if (meta === undefined) return `There is no ${nameOf(name)}.`;
      if (meta.documents === undefined) return `${nameOf(name)} was not filled to its end.`;
      return findDifference(look, nameOf(name), words);
    },
    async drop(name) {
      seen.delete(nameOf(name));
      filled.delete(nameOf(name));
      await look({ method: 'DELETE', path: `/${nameOf(name)}`, alsoStatus: MISSING });
    },
    async requireFilled(name) {
      // Whoever follows the imports looks often enough that searches seldom have to.
      if (isRecent(seen.get(name)) || isRecent(filled.get(name))) return;
      const meta = (await readMeta(client.ask)).get(name);
      if (meta?.documents === undefined)
        throw createCatalogError(
          'unfilled',
          'The learning objects are being brought to the catalogue. Search again in a while.',
        );
      filled.set(name, Date.now());
    },
    forget(name) {
      seen.delete(name);
      filled.delete(name);
    },
    async fill(version, signal) {
      const name = nameOf(version.name);
      const send = workUntil(signal);
      // What is away is waited for only in the middle.
      await checkVersion(client);
      await create(send, name);
      await sendDocuments(client, {
        ...{ index: inletOf(name), path: version.path, signal },
        ...(maxBulkBytes !== undefined && { maxBytes: maxBulkBytes }),
      });
      await send({ method: 'POST', path: `/${name}/_refresh` });
      const difference = await findDifference(send, name, version.words);
      if (difference !== null) throw createCatalogError('failed', difference);
      await makeCurrent(send, name, version.words.liveCount);
      // Nothing is ever added to it, and one segment is searched in two thirds of the time of many. The node goes on on its own.
      const query = { max_num_segments: 1, wait_for_completion: false };
      await send({ method: 'POST', path: `/${name}/_forcemerge`, query });
      await prune(send, name);
    },
  };
}

import type { LiveSegment } from '../../engine/objects/segment/segment.ts';
import { listCommonTerms } from '../../engine/objects/segment/vocabulary-segment.ts';
import type { ObjectsStore } from '../local/elsewhere/objects-store.ts';
import { sendDocuments } from './bulk.ts';
import type { OpenSearch } from './client.ts';
import { describeCatalog } from './describe.ts';
import { createCatalogError } from './explain.ts';
import { createIndexBody, type IndexShape } from './mapping.ts';

export interface VersionsOptions extends IndexShape {
  readonly client: OpenSearch;
  /** Of the names of all that this deployment has. */
  readonly prefix: string;
}

/** The indexes of a deployment: `<prefix>-<version>` each, and `<prefix>` for the current one. */
export interface Versions extends Omit<ObjectsStore, 'open'> {
  nameOf(version: string): string;
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

interface Meta {
  /** Present once all of it is there. */
  readonly documents?: number;
  readonly filledAt?: string;
}

export function createVersions({ client, prefix, ...shape }: VersionsOptions): Versions {
  const nameOf = (version: string) => `${prefix}-${version}`;
  /** When each was seen to be whole. */
  const seen = new Map<string, number>();

  async function readMeta(): Promise<ReadonlyMap<string, Meta>> {
    const found = await client.ask<Record<string, { mappings?: { _meta?: Meta } }>>({
      ...{ method: 'GET', path: `/${prefix}-*/_mapping` },
      query: { filter_path: '*.mappings._meta,*.mappings.dynamic', allow_no_indices: true },
    });
    return new Map(Object.entries(found).map(([name, { mappings }]) => [name, mappings?._meta ?? {}]));
  }

  async function count(name: string, query?: object): Promise<number> {
    const { count: found } = await client.ask<{ count: number }>({
      ...{
        method: 'POST',
        path: `/${name}/_count`,
        timeoutMs: ADMIN_MS,
        body: query === undefined ? {} : { query },
      },
    });
    return found;
  }

  /** Made by whoever is first. */
  async function create(name: string): Promise<void> {
    const { status } = await client.ask<{ status?: number; error?: { type: string } }>({
      ...{
        method: 'PUT',
        path: `/${name}`,
        timeoutMs: ADMIN_MS,
        body: createIndexBody(shape),
        alsoStatus: EXISTS,
      },
    });
    if (status === undefined) return;
    const isThere = (await readMeta()).has(name);
    if (!isThere)
      throw createCatalogError('failed', `The index ${name} cannot be made. The log of the node says why.`);
  }

  /** By the number of documents, and that of some words all over the alphabet. */
  async function findDifference(name: string, words: LiveSegment): Promise<string | null> {
    const found = await count(name);
    if (found !== words.liveCount) return `${name} has ${found} documents, and not ${words.liveCount}.`;
    for (const [term, documents] of listCommonTerms(words.segment, GOLDEN_QUERIES)) {
      const own = await count(name, { term: { words: term } });
      if (own !== documents) return `${name} has ${own} documents with "${term}", and not ${documents}.`;
    }
    return null;
  }

  async function finish(name: string, documents: number): Promise<void> {
    const meta: Meta = { documents, filledAt: new Date().toISOString() };
    await client.ask({
      method: 'PUT',
      path: `/${name}/_mapping`,
      timeoutMs: ADMIN_MS,
      body: { _meta: meta },
    });
    const actions = [
      { remove: { index: `${prefix}-*`, alias: prefix, must_exist: false } },
      { add: { index: name, alias: prefix } },
    ];
    await client.ask({ method: 'POST', path: '/_aliases', timeoutMs: ADMIN_MS, body: { actions } });
  }

  /** Keeps the current one and the one before it, of this program and of another one that may still be running. */
  async function prune(current: string): Promise<void> {
    const baseOf = (name: string) => name.slice(0, name.lastIndexOf('-'));
    const known = [...(await readMeta())].sort(([, a], [, b]) =>
      (a.filledAt ?? '') < (b.filledAt ?? '') ? 1 : -1,
    );
    const whole = known.filter(([, { documents }]) => documents !== undefined).map(([name]) => name);
    const own = whole.filter((name) => baseOf(name) === baseOf(current) && name !== current);
    const others = whole.filter((name) => baseOf(name) !== baseOf(current));
    const unfinished = known.filter(([name]) => !whole.includes(name)).map(([name]) => name);
    const gone = [...own.slice(1), ...others.slice(1), ...(await listAbandoned(unfinished))];
    if (gone.length > 0)
      await client.ask({
        method: 'DELETE',
        path: `/${gone.join(',')}`,
        query: { ignore_unavailable: true },
        timeoutMs: ADMIN_MS,
      });
  }

  async function listAbandoned(names: readonly string[]): Promise<readonly string[]> {
    if (names.length === 0) return [];
    const found = await client.ask<Record<string, { settings: { index: { creation_date: string } } }>>({
      ...{ method: 'GET', path: `/${names.join(',')}/_settings`, query: { ignore_unavailable: true } },
    });
    const isOld = (name: string) =>
      Date.now() - Number(found[name]?.settings.index.creation_date ?? Number.NaN) > ABANDONED_MS;
    return names.filter(isOld);
  }

  return {
    nameOf,
    async hasVersion(version, documents) {
      const name = nameOf(version);
      if (client.problem === null && Date.now() - (seen.get(name) ?? 0) < SEEN_MS) return true;
      const meta = (await readMeta()).get(name);
      const isWhole = meta?.documents === documents && (await count(name)) === documents;
      if (isWhole) seen.set(name, Date.now());
      return isWhole;
    },
    async examine({ name, words }) {
      const meta = (await readMeta()).get(nameOf(name));
      if (meta === undefined) return `There is no ${nameOf(name)}.`;
      if (meta.documents === undefined) return `${nameOf(name)} was not filled to its end.`;
      return findDifference(nameOf(name), words);
    },
    async drop(name) {
      seen.delete(nameOf(name));
      await client.ask({
        ...{ method: 'DELETE', path: `/${nameOf(name)}`, timeoutMs: ADMIN_MS, alsoStatus: MISSING },
      });
    },
    forget: (name) => void seen.delete(name),
    async fill(version, signal) {
      const name = nameOf(version.name);
      await describeCatalog(client, prefix);
      await create(name);
      await sendDocuments(client, { index: name, path: version.path, signal });
      await client.ask({ method: 'POST', path: `/${name}/_refresh`, timeoutMs: ADMIN_MS });
      const difference = await findDifference(name, version.words);
      if (difference !== null) throw createCatalogError('failed', difference);
      signal.throwIfAborted();
      await finish(name, version.words.liveCount);
      await prune(name);
    },
  };
}

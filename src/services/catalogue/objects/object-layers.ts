import { LRUCache } from 'lru-cache';
import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { applyObjectEdits } from '#domain/object-fields';
import type { Clock } from '#ports/clock';
import type { SearchAnswer } from '#ports/learning-service';
import type { ObjectLayer, TenantLayer } from '#ports/object-catalog';
import { EVERY_TENANT, type ObjectChange, type Store } from '#ports/store/store';
import { readEveryItemAfter } from '#services/host/every-item';

type CachedLayer = ObjectLayer & { readonly waiting: readonly ObjectChange[] };
const RECENT_MS = 500;
const MAX_TENANTS = 1_000;
/** Limit of the changes of all tenants together, which take about 1 kB each. */
const MAX_CHANGES = 100_000;
const PAGE = 1_000;

export function createObjectLayers(deps: Pick<Store, 'objectLayers'> & { readonly clock: Clock }) {
  const { objectLayers, clock } = deps;
  const cached = new LRUCache<string, CachedLayer>({
    max: MAX_TENANTS,
    maxSize: MAX_CHANGES,
    sizeCalculation: ({ changes, waiting }) => 1 + changes.size + waiting.length,
  });
  const recent = new LRUCache<string, { readonly at: number; readonly layer: Promise<TenantLayer> }>({
    max: MAX_TENANTS,
  });

  async function readLayer(tenantId: string, version: string): Promise<CachedLayer> {
    const existing = cached.get(tenantId);
    if (existing?.version === version) return existing;
    const all: ObjectChange[] = [];
    const readAfter = (last: ObjectChange | null) =>
      objectLayers.readObjectChanges(tenantId, last?.address ?? null, PAGE);
    if (version !== '') for await (const change of readEveryItemAfter(readAfter)) all.push(change);
    const layer = { tenantId, version, ...splitLayerChanges(all) };
    cached.set(tenantId, layer);
    return layer;
  }

  async function readTenantLayer(tenantId: string): Promise<TenantLayer> {
    const versions = await objectLayers.readObjectLayerVersions([EVERY_TENANT, tenantId]);
    const [all, tenant] = await Promise.all([
      readLayer(EVERY_TENANT, versions.get(EVERY_TENANT) ?? ''),
      readLayer(tenantId, versions.get(tenantId) ?? ''),
    ]);
    const tenantStamp = tenant.version === '' ? '' : `${tenantId} ${tenant.version}`;
    return { all, tenant, stamp: `${all.version} ${tenantStamp}`.trim() };
  }

  function layerOf(tenantId: string): Promise<TenantLayer> {
    const now = clock.now().getTime();
    const existing = recent.get(tenantId);
    if (existing !== undefined && Math.abs(now - existing.at) < RECENT_MS) return existing.layer;
    const entry = { at: now, layer: readTenantLayer(tenantId) };
    recent.set(tenantId, entry);
    entry.layer.catch(() => {
      if (recent.peek(tenantId) === entry) recent.delete(tenantId);
    });
    return entry.layer;
  }

  return {
    /** Returns the layer of a tenant; changes by other hosts show within half a second. */
    layerOf,
    /** Lists suggestions that wait for approval, the oldest first. */
    async listWaiting(tenantId: string): Promise<readonly ObjectChange[]> {
      await layerOf(tenantId);
      return cached.get(tenantId)?.waiting ?? [];
    },
    /** Makes a change of this host visible at once. */
    forget(tenantId: string): void {
      if (tenantId === EVERY_TENANT) recent.clear();
      else recent.delete(tenantId);
    },
  };
}

export type ObjectLayers = ReturnType<typeof createObjectLayers>;

/** Splits changes into those in effect, by address, and those that wait, the oldest first. */
function splitLayerChanges(all: readonly ObjectChange[]): Pick<CachedLayer, 'changes' | 'waiting'> {
  const approved = all.filter(({ state }) => !state.isWaiting);
  const waiting = all.filter(({ state }) => state.isWaiting);
  return {
    changes: new Map(approved.map((change) => [change.address, change])),
    waiting: waiting.sort((a, b) => a.changedAt.getTime() - b.changedAt.getTime()),
  };
}

/** Returns an object with the edits of a layer; null if the layer hides it. */
export function applyObjectLayer(object: LearningObject, { all, tenant }: TenantLayer): LearningObject | null {
  const address = normalizeObjectAddress(object.url);
  const changes = [all.changes.get(address), tenant.changes.get(address)].flatMap((change) => change ?? []);
  if (changes.some(({ state }) => state.isHidden)) return null;
  return changes.reduce((edited, { state }) => applyObjectEdits(edited, state.fields), object);
}

/** Returns an answer with the edits of a layer and without hidden objects. Added objects are not in
 *  it, as they have no rank. */
export function applyLayerToAnswer(answer: SearchAnswer, layer: TenantLayer): SearchAnswer {
  if (layer.stamp === '') return answer;
  const applied = answer.content.map((object) => applyObjectLayer(object, layer));
  const keepVisible = <T>(list: readonly T[]) => list.filter((_, index) => applied[index] !== null);
  const content = applied.filter((object) => object !== null);
  const { highlights, requestIds, tiers } = answer;
  const noHighlight = { title: [], description: [] };
  const isEdited = (index: number) => applied[index] !== answer.content[index];
  return {
    ...answer,
    content,
    totalItems: Math.max(content.length, answer.totalItems - (applied.length - content.length)),
    ...(highlights && {
      highlights: keepVisible(highlights.map((highlight, index) => (isEdited(index) ? noHighlight : highlight))),
    }),
    ...(requestIds && { requestIds: keepVisible(requestIds) }),
    ...(tiers && { tiers: keepVisible(tiers) }),
  };
}

import { LRUCache } from 'lru-cache';
import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { applyObjectEdits } from '#domain/object-fields';
import type { Clock } from '#ports/clock';
import type { SearchAnswer } from '#ports/learning-service';
import type { ObjectLayer, TenantLayer } from '#ports/object-catalog';
import { EVERY_TENANT, type ObjectChange, type ObjectLayerRepository } from '#ports/store/store';

/** What is changed of the objects of a tenant, kept in memory while the store has nothing newer. */
export interface ObjectLayers {
  /** As it was half a second ago at most, whichever host it was changed on. */
  layerOf(tenantId: string): Promise<TenantLayer>;
  /** Those that wait for somebody to say yes or no, the oldest first. */
  listWaiting(tenantId: string): Promise<readonly ObjectChange[]>;
  /** What this host has just changed is seen at once. */
  forget(tenantId: string): void;
}

export interface ObjectLayersDeps {
  readonly objectLayers: ObjectLayerRepository;
  readonly clock: Clock;
}

interface KeptLayer extends ObjectLayer {
  readonly waiting: readonly ObjectChange[];
}

const RECENT_MS = 500;
const MAX_TENANTS = 1_000;
/** Of all tenants together; about 1 kB each. */
const MAX_CHANGES = 100_000;
const PAGE = 1_000;

export function createObjectLayers({ objectLayers, clock }: ObjectLayersDeps): ObjectLayers {
  const kept = new LRUCache<string, KeptLayer>({
    max: MAX_TENANTS,
    maxSize: MAX_CHANGES,
    sizeCalculation: ({ changes, waiting }) => 1 + changes.size + waiting.length,
  });
  const recent = new LRUCache<string, { readonly at: number; readonly layer: Promise<TenantLayer> }>({
    max: MAX_TENANTS,
  });

  async function readLayer(tenantId: string, version: string): Promise<KeptLayer> {
    const known = kept.get(tenantId);
    if (known?.version === version) return known;
    const all = version === '' ? [] : await readAll(objectLayers, tenantId);
    const counting = all.filter(({ state }) => !state.isWaiting);
    const changes = new Map(counting.map((change) => [change.address, change]));
    const waiting = all
      .filter(({ state }) => state.isWaiting)
      .sort((a, b) => a.changedAt.getTime() - b.changedAt.getTime());
    const layer = { tenantId, version, changes, waiting };
    kept.set(tenantId, layer);
    return layer;
  }

  async function read(tenantId: string): Promise<TenantLayer> {
    const versions = await objectLayers.readObjectLayerVersions([EVERY_TENANT, tenantId]);
    const [all, own] = await Promise.all(
      ([EVERY_TENANT, tenantId] as const).map((id) => readLayer(id, versions.get(id) ?? '')),
    );
    if (all === undefined || own === undefined) throw new TypeError('two layers were asked for');
    const ofOwn = own.version === '' ? '' : `${tenantId} ${own.version}`;
    return { all, own, stamp: `${all.version} ${ofOwn}`.trim() };
  }

  function layerOf(tenantId: string): Promise<TenantLayer> {
    const now = clock.now().getTime();
    const known = recent.get(tenantId);
    if (known !== undefined && Math.abs(now - known.at) < RECENT_MS) return known.layer;
    const entry = { at: now, layer: read(tenantId) };
    recent.set(tenantId, entry);
    entry.layer.catch(() => {
      if (recent.peek(tenantId) === entry) recent.delete(tenantId);
    });
    return entry.layer;
  }

  return {
    layerOf,
    async listWaiting(tenantId) {
      await layerOf(tenantId);
      return kept.get(tenantId)?.waiting ?? [];
    },
    forget(tenantId) {
      if (tenantId === EVERY_TENANT) recent.clear();
      else recent.delete(tenantId);
    },
  };
}

async function readAll(objectLayers: ObjectLayerRepository, tenantId: string): Promise<ObjectChange[]> {
  const all: ObjectChange[] = [];
  for (;;) {
    const page = await objectLayers.readObjectChanges(tenantId, all.at(-1)?.address ?? null, PAGE);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** An object as the tenant has it: with what was edited; null where it is hidden. */
export function layOverObject(object: LearningObject, { all, own }: TenantLayer): LearningObject | null {
  const address = normalizeObjectAddress(object.url);
  const changes = [all.changes.get(address), own.changes.get(address)].flatMap((change) => change ?? []);
  if (changes.some(({ state }) => state.isHidden)) return null;
  return changes.reduce((edited, { state }) => applyObjectEdits(edited, state.fields), object);
}

/** An upstream's answer as the tenant gets it: without what is hidden, and with what was edited. What was added is not mixed in, as
 *  nobody knows where it would rank; a page may so have fewer objects than were asked for. */
export function layOverAnswer(answer: SearchAnswer, layer: TenantLayer): SearchAnswer {
  if (layer.stamp === '') return answer;
  const found = answer.content.map((object) => layOverObject(object, layer));
  const keep = <T>(list: readonly T[]) => list.filter((_, place) => found[place] !== null);
  const content = found.filter((object) => object !== null);
  const { highlights, requestIds, tiers } = answer;
  const isEdited = (place: number) => found[place] !== answer.content[place];
  return {
    ...answer,
    content,
    totalItems: Math.max(content.length, answer.totalItems - (found.length - content.length)),
    // Marked places are of the words before.
    ...(highlights && {
      highlights: keep(
        highlights.map((one, place) => (isEdited(place) ? { title: [], description: [] } : one)),
      ),
    }),
    ...(requestIds && { requestIds: keep(requestIds) }),
    ...(tiers && { tiers: keep(tiers) }),
  };
}

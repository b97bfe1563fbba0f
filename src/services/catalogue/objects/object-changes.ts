import type { Actor } from '#domain/admin';
import { normalizeObjectAddress } from '#domain/learning-object';
import { findObjectEdits, type ObjectFields, objectFieldNames } from '#domain/object-fields';
import { findWebAddressProblem, parseWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { CatalogObject, ObjectCatalog, TenantLayer } from '#ports/object-catalog';
import {
  EVERY_TENANT,
  type ObjectChange,
  type ObjectLayerRepository,
  type ObjectState,
} from '#ports/store/store';
import { type Audit, type AuditAction, describeChangeForAudit } from '#services/tenants/audit';
import type { ObjectLayers } from './object-layers.ts';

/** Changing single objects. Each change is in the audit trail.
 *  Errors: CHANGED_MEANWHILE; OBJECTS_TOO_MANY beyond 5,000 changed objects of a tenant, or 200 that wait. */
export interface ObjectChanges {
  /** What an edit begins with: the object as it counts there, and the version of its change, 0 where there is none. Errors:
   *  OBJECT_UNKNOWN. */
  getEdited(target: ObjectTarget): Promise<{ readonly fields: ObjectFields; readonly version: number }>;
  /** Only what is other than without this change is kept, so that imports go on changing the rest.
   *  @param version of the change that was looked at, 0 where there was none
   *  Errors: OBJECT_UNKNOWN. */
  edit(actor: Actor, target: ObjectTarget, edit: { fields: ObjectFields; version: number }): Promise<void>;
  /** Errors: OBJECT_KNOWN where it is there, hidden, or waits. */
  add(actor: Actor, target: ObjectTarget, fields: ObjectFields): Promise<void>;
  hide(actor: Actor, target: ObjectTarget): Promise<void>;
  show(actor: Actor, target: ObjectTarget): Promise<void>;
  /** Puts back what was before the last change; again, and the change is back.
   *  @param version of the change that was looked at */
  undo(actor: Actor, target: ObjectTarget, version: number): Promise<void>;
  /** An instructor's; it waits, unless it counts `at-once`. Errors: OBJECT_KNOWN. */
  suggest(actor: Actor, suggestion: ObjectSuggestion): Promise<void>;
  /** Errors: OBJECT_UNKNOWN where it does not wait any more. */
  decide(actor: Actor, target: ObjectTarget, isApproved: boolean): Promise<void>;
}

export interface ObjectSuggestion {
  readonly tenantId: string;
  readonly url: string;
  readonly fields: ObjectFields;
  readonly atOnce: boolean;
}

export function createObjectChanges(deps: ObjectChangesDeps): ObjectChanges {
  const { find, save, findObject, findUnder, refuseKnown } = createObjectRecords(deps);

  async function setHidden(actor: Actor, target: ObjectTarget, isHidden: boolean): Promise<void> {
    const before = await find(target);
    const state = before?.state ?? unchanged;
    if (state.isHidden === isHidden) return;
    const action = isHidden ? 'object.hidden' : 'object.shown';
    await save(actor, { target, before, state: { ...state, isHidden }, action });
  }

  return {
    async getEdited(target) {
      const object = await findObject(target);
      if (object === null) throw createUnknownError();
      return { fields: object.fields, version: (await find(target))?.version ?? 0 };
    },

    async edit(actor, target, { fields, version }) {
      const before = await find(target);
      if ((before?.version ?? 0) !== version) throw createChangedError(fields.title);
      const state = before?.state ?? unchanged;
      const under = state.isAdded ? null : await findUnder(target);
      if (!state.isAdded && under === null) throw createUnknownError();
      const edited = under === null ? fields : findObjectEdits(under.fields, fields);
      if (JSON.stringify(edited) === JSON.stringify(inOrder(state.fields))) return;
      await save(actor, { target, before, state: { ...state, fields: edited }, action: 'object.edited' });
    },

    async add(actor, target, fields) {
      await refuseKnown(target);
      const state = { ...unchanged, isAdded: true, fields };
      await save(actor, { target, before: null, state, action: 'object.added' });
    },

    hide: (actor, target) => setHidden(actor, target, true),
    show: (actor, target) => setHidden(actor, target, false),

    async undo(actor, target, version) {
      const before = await find(target);
      if (before === null) throw createUnknownError();
      if (before.version !== version) throw createChangedError(target.url);
      // What was added by this very change is hidden: nothing is ever removed.
      const state = before.before ?? undoFirst(before.state);
      await save(actor, { target, before, state, action: 'object.undone' });
    },

    async suggest(actor, { tenantId, url, fields, atOnce }) {
      const target = { tenantId, url, forAll: false };
      await refuseKnown(target);
      const state = { ...unchanged, isAdded: true, isWaiting: !atOnce, fields };
      const suggestedBy = actor.name;
      const wanted = { target, before: null, state, action: 'object.suggested', suggestedBy } as const;
      await save(actor, wanted).catch(async (error: unknown) => {
        // Somebody suggested the same at the same moment.
        if (error instanceof AppError && error.code === 'CHANGED_MEANWHILE') await refuseKnown(target);
        throw error;
      });
    },

    async decide(actor, target, isApproved) {
      const before = await find(target);
      if (before === null || !before.state.isWaiting) throw createUnknownError();
      const state = { ...before.state, isWaiting: false, isHidden: !isApproved };
      const action = isApproved ? 'object.approved' : 'object.refused';
      await save(actor, { target, before, state, action });
    },
  };
}

function undoFirst(state: ObjectState): ObjectState {
  return state.isAdded ? { ...state, isHidden: !state.isHidden } : unchanged;
}

/** As `findObjectEdits` gives them. */
function inOrder(fields: ObjectState['fields']): ObjectState['fields'] {
  return Object.fromEntries(
    objectFieldNames.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}

/** Which object, and for whom it is changed. */
export interface ObjectTarget {
  /** From whose pages it is changed. */
  readonly tenantId: string;
  /** Whether it is changed for every tenant. Only owners may. */
  readonly forAll: boolean;
  readonly url: string;
}

/** What becomes of an object. */
interface WantedChange {
  readonly target: ObjectTarget;
  readonly before: ObjectChange | null;
  readonly state: ObjectState;
  readonly action: AuditAction;
  readonly suggestedBy?: string;
}

export interface ObjectChangesDeps {
  readonly objectLayers: ObjectLayerRepository;
  readonly layers: ObjectLayers;
  readonly catalog: ObjectCatalog;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Changes of objects as they are looked for and kept. */
interface ObjectRecords {
  find(target: ObjectTarget): Promise<ObjectChange | null>;
  /** Also writes the audit trail. Errors: CHANGED_MEANWHILE, OBJECTS_TOO_MANY; FORM_INVALID with the problem of an
   *  address (`url`) that cannot be used. */
  save(actor: Actor, wanted: WantedChange): Promise<void>;
  /** As it counts where the change would; null where there is none. */
  findObject(target: ObjectTarget): Promise<CatalogObject | null>;
  /** As it would be without this change. */
  findUnder(target: ObjectTarget): Promise<CatalogObject | null>;
  /** Errors: OBJECT_KNOWN where it is there, hidden, or waits. */
  refuseKnown(target: ObjectTarget): Promise<void>;
}

const MOST_CHANGES = 5_000;
const MOST_WAITING = 200;
const unchanged: ObjectState = { isAdded: false, isHidden: false, isWaiting: false, fields: {} };

function createObjectRecords(deps: ObjectChangesDeps): ObjectRecords {
  const { objectLayers, layers, catalog, audit, clock } = deps;

  async function find(target: ObjectTarget): Promise<ObjectChange | null> {
    return objectLayers.findObjectChange(scopeOf(target), normalizeObjectAddress(target.url));
  }

  async function save(
    actor: Actor,
    { target, before, state, action, suggestedBy }: WantedChange,
  ): Promise<void> {
    const tenantId = scopeOf(target);
    const url = before?.url ?? requireAddress(target.url);
    if (before === null) await refuseTooMany(tenantId, state.isWaiting);
    const change: ObjectChange = {
      tenantId,
      address: normalizeObjectAddress(url),
      url,
      state,
      before: before?.state ?? null,
      suggestedBy: suggestedBy ?? before?.suggestedBy ?? null,
      changedBy: actor.name,
      changedAt: clock.now(),
      version: (before?.version ?? 0) + 1,
    };
    const layer = await layers.layerOf(target.tenantId);
    const known = await catalog.findObject(layer, target.url);
    const title = known?.fields.title ?? state.fields.title ?? target.url;
    if (!(await objectLayers.saveObjectChange(change))) throw createChangedError(title);
    layers.forget(tenantId);
    await audit.record(actor, {
      action,
      tenantId: target.forAll ? null : target.tenantId,
      target: title,
      details: { address: change.url, ...describeState(before?.state ?? unchanged, state) },
    });
  }

  async function refuseTooMany(tenantId: string, isWaiting: boolean): Promise<void> {
    const { all, own } = await layers.layerOf(tenantId);
    const { changes } = tenantId === EVERY_TENANT ? all : own;
    // Refused suggestions are nobody's changes.
    const counting = [...changes.values()].filter(
      (each) => each.suggestedBy === null || !each.state.isHidden,
    );
    if (counting.length >= MOST_CHANGES)
      throw new AppError(
        'OBJECTS_TOO_MANY',
        `${MOST_CHANGES} objects are changed one by one already. Import the others from a file.`,
      );
    if (isWaiting && (await layers.listWaiting(tenantId)).length >= MOST_WAITING)
      throw new AppError(
        'OBJECTS_TOO_MANY',
        `${MOST_WAITING} suggestions wait already. Ask your administrators to look through them.`,
      );
  }

  /** As it would be without this change. */
  async function findUnder(target: ObjectTarget): Promise<CatalogObject | null> {
    const layer = await layers.layerOf(target.tenantId);
    return catalog.findObject(target.forAll ? withoutAll(layer) : withoutOwn(layer), target.url);
  }

  async function findObject(target: ObjectTarget): Promise<CatalogObject | null> {
    const layer = await layers.layerOf(target.tenantId);
    return catalog.findObject(target.forAll ? withoutOwn(layer) : layer, target.url);
  }

  async function refuseKnown(target: ObjectTarget): Promise<void> {
    const layer = await layers.layerOf(target.tenantId);
    const known = await catalog.findObject(layer, target.url);
    const before = await find(target);
    if (known === null && before === null) return;
    const title = known?.fields.title ?? before?.state.fields.title ?? target.url;
    const how = before?.state.isWaiting
      ? 'waiting'
      : known?.hiddenFor != null || before?.state.isHidden
        ? 'hidden'
        : 'there';
    throw new AppError('OBJECT_KNOWN', `“${title}” ${knownWords[how]}`, { data: { title, how } });
  }

  return { find, save, findObject, findUnder, refuseKnown };
}

const knownWords = {
  there: 'is in the catalogue already: search for it by its title.',
  hidden: 'is in the catalogue, but hidden. An administrator can show it again.',
  waiting: 'has been suggested before, and waits for an administrator.',
} as const;

function scopeOf({ tenantId, forAll }: Pick<ObjectTarget, 'tenantId' | 'forAll'>): string {
  return forAll ? EVERY_TENANT : tenantId;
}

function requireAddress(url: string): string {
  const address = parseWebAddress(url);
  if (address !== null) return address;
  const reason = findWebAddressProblem(url) ?? 'notAWebAddress';
  const problem =
    reason === 'addressWithLogin'
      ? 'has a user name or password in it: give it without'
      : 'is not a web address: give one that begins with https:// or http://';
  const problems = [{ path: 'url', problem, reason }];
  throw new AppError('FORM_INVALID', `Nothing was changed: the address ${problem}.`, { problems });
}

function withoutOwn(layer: TenantLayer): TenantLayer {
  const own = { tenantId: '', version: '', changes: new Map() };
  return { ...layer, own, stamp: layer.all.version };
}

function withoutAll(layer: TenantLayer): TenantLayer {
  return { ...withoutOwn(layer), all: { ...layer.all, version: '', changes: new Map() }, stamp: '' };
}

function describeState(before: ObjectState, state: ObjectState): Readonly<Record<string, string>> {
  const toPlain = ({ isHidden, fields }: ObjectState) => ({ hidden: isHidden ? 'yes' : 'no', ...fields });
  return describeChangeForAudit(toPlain(before), toPlain(state));
}

function createChangedError(title: string): AppError {
  return new AppError(
    'CHANGED_MEANWHILE',
    `“${title}” was changed by someone else meanwhile. Reload the page and make your change again.`,
  );
}

export function createUnknownError(): AppError {
  return new AppError(
    'OBJECT_UNKNOWN',
    'There is no such object any more: it was taken out of the catalogue, or the suggestion was decided. Go back to the list.',
  );
}

import type { Actor } from '#domain/admin';
import { normalizeObjectAddress } from '#domain/learning-object';
import { findObjectEdits, type ObjectFields, objectFieldNames } from '#domain/object-fields';
import { findWebAddressProblem, parseWebAddress } from '#domain/web-address';
import { AppError, hasErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import type { ObjectCatalog, TenantLayer } from '#ports/object-catalog';
import { EVERY_TENANT, type ObjectChange, type ObjectState, type Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import { type Audit, type AuditAction, describeChangeForAudit } from '#services/tenants/audit';
import type { ObjectLayers } from './object-layers.ts';

export interface ObjectSuggestion {
  readonly tenantId: string;
  readonly url: string;
  readonly fields: ObjectFields;
  readonly atOnce: boolean;
}

export interface ObjectTarget {
  readonly tenantId: string;
  /** Whether it is changed for every tenant, which only owners may do. */
  readonly forAll: boolean;
  readonly url: string;
}

export interface ObjectChangesDeps extends Pick<Store, 'objectLayers'> {
  readonly layers: ObjectLayers;
  readonly catalog: ObjectCatalog;
  readonly audit: Audit;
  readonly clock: Clock;
}

const MAX_CHANGES = 5_000;
const MAX_WAITING = 200;
const unchanged: ObjectState = { isAdded: false, isHidden: false, isWaiting: false, fields: {} };

/** Changes of single objects, for a tenant or for all; audited. Errors: CHANGED_MEANWHILE;
 *  OBJECTS_TOO_MANY beyond 5,000 changed objects of a tenant, or 200 suggestions; FORM_INVALID with
 *  the problem of an address (`url`). */
export function createObjectChanges(deps: ObjectChangesDeps) {
  return {
    ...bindState(deps, { getEdited, edit, add, undo, suggest, decide }),
    hide: (actor: Actor, target: ObjectTarget) => setObjectHidden(deps, actor, target, true),
    show: (actor: Actor, target: ObjectTarget) => setObjectHidden(deps, actor, target, false),
  };
}

/** Returns the object before an edit, with its version or 0. Errors: OBJECT_UNKNOWN. */
async function getEdited(deps: ObjectChangesDeps, target: ObjectTarget) {
  const layer = await deps.layers.layerOf(target.tenantId);
  const object = await deps.catalog.findObject(target.forAll ? withoutTenantEdits(layer) : layer, target.url);
  if (object === null) throw createObjectUnknownError();
  return { fields: object.fields, version: (await findLastObjectChange(deps, target))?.version ?? 0 };
}

/** Stores the fields that differ, so that imports update others. Errors: OBJECT_UNKNOWN.
 *  @param edited has the `version` of the change that the person saw, 0 for none */
async function edit(
  deps: ObjectChangesDeps,
  actor: Actor,
  target: ObjectTarget,
  edited: { readonly fields: ObjectFields; readonly version: number },
): Promise<void> {
  const { fields, version } = edited;
  const before = await findLastObjectChange(deps, target);
  if ((before?.version ?? 0) !== version) throw createObjectChangedError(fields.title);
  const state = before?.state ?? unchanged;
  const base = state.isAdded ? null : await findUnchangedFields(deps, target);
  if (!state.isAdded && base === null) throw createObjectUnknownError();
  const edits = base === null ? fields : findObjectEdits(base.fields, fields);
  if (JSON.stringify(edits) === JSON.stringify(sortChangedFields(state.fields))) return;
  await writeObjectChange(deps, actor, { target, before, state: { ...state, fields: edits }, action: 'object.edited' });
}

/** Adds an object. Errors: OBJECT_KNOWN if it exists, is hidden, or is suggested. */
async function add(deps: ObjectChangesDeps, actor: Actor, target: ObjectTarget, fields: ObjectFields): Promise<void> {
  await refuseExistingObject(deps, target);
  const state = { ...unchanged, isAdded: true, fields };
  await writeObjectChange(deps, actor, { target, before: null, state, action: 'object.added' });
}

async function setObjectHidden(deps: ObjectChangesDeps, actor: Actor, target: ObjectTarget, isHidden: boolean) {
  const before = await findLastObjectChange(deps, target);
  const state = before?.state ?? unchanged;
  if (state.isHidden === isHidden) return;
  const action = isHidden ? 'object.hidden' : 'object.shown';
  await writeObjectChange(deps, actor, { target, before, state: { ...state, isHidden }, action });
}

/** Restores the state before the last change; a second call restores the change.
 *  @param version is that of the change that the person saw */
async function undo(deps: ObjectChangesDeps, actor: Actor, target: ObjectTarget, version: number): Promise<void> {
  const before = await findLastObjectChange(deps, target);
  if (before === null) throw createObjectUnknownError();
  if (before.version !== version) throw createObjectChangedError(target.url);
  const { isAdded, isHidden } = before.state;
  const first = isAdded ? { ...before.state, isHidden: !isHidden } : unchanged;
  await writeObjectChange(deps, actor, { target, before, state: before.before ?? first, action: 'object.undone' });
}

/** Adds an object of an instructor, for approval unless `atOnce`. Errors: OBJECT_KNOWN. */
async function suggest(deps: ObjectChangesDeps, actor: Actor, { tenantId, url, fields, atOnce }: ObjectSuggestion) {
  const target = { tenantId, url, forAll: false };
  await refuseExistingObject(deps, target);
  const state = { ...unchanged, isAdded: true, isWaiting: !atOnce, fields };
  const suggestedBy = actor.name;
  const change = { target, before: null, state, action: 'object.suggested', suggestedBy } as const;
  await writeObjectChange(deps, actor, change).catch(async (error: unknown) => {
    // Another person may have suggested the same object at the same moment.
    if (hasErrorCode(error, 'CHANGED_MEANWHILE')) await refuseExistingObject(deps, target);
    throw error;
  });
}

/** Approves or refuses a suggestion. Errors: OBJECT_UNKNOWN if it does not wait any more. */
async function decide(deps: ObjectChangesDeps, actor: Actor, target: ObjectTarget, isApproved: boolean): Promise<void> {
  const before = await findLastObjectChange(deps, target);
  if (before === null || !before.state.isWaiting) throw createObjectUnknownError();
  const state = { ...before.state, isWaiting: false, isHidden: !isApproved };
  const action = isApproved ? 'object.approved' : 'object.refused';
  await writeObjectChange(deps, actor, { target, before, state, action });
}

function findLastObjectChange(deps: ObjectChangesDeps, target: ObjectTarget): Promise<ObjectChange | null> {
  return deps.objectLayers.findObjectChange(chooseChangeScope(target), normalizeObjectAddress(target.url));
}

async function findUnchangedFields({ catalog, layers }: ObjectChangesDeps, target: ObjectTarget) {
  const layer = await layers.layerOf(target.tenantId);
  return catalog.findObject(target.forAll ? withoutObjectChanges(layer) : withoutTenantEdits(layer), target.url);
}

interface NewState {
  readonly target: ObjectTarget;
  readonly before: ObjectChange | null;
  readonly state: ObjectState;
  readonly action: AuditAction;
  readonly suggestedBy?: string;
}

async function writeObjectChange(deps: ObjectChangesDeps, actor: Actor, next: NewState) {
  const { target, before, state, action, suggestedBy } = next;
  const { objectLayers, layers, catalog, audit, clock } = deps;
  const tenantId = chooseChangeScope(target);
  const url = before?.url ?? requireObjectAddress(target.url);
  if (before === null) await refuseTooMany(deps, tenantId, state.isWaiting);
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
  const object = await catalog.findObject(await layers.layerOf(target.tenantId), target.url);
  const title = object?.fields.title ?? state.fields.title ?? target.url;
  if (!(await objectLayers.saveObjectChange(change))) throw createObjectChangedError(title);
  layers.forget(tenantId);
  await audit.record(actor, {
    action,
    tenantId: target.forAll ? null : target.tenantId,
    target: title,
    details: { address: change.url, ...describeStateChange(before?.state ?? unchanged, state) },
  });
}

async function refuseTooMany({ layers }: ObjectChangesDeps, tenantId: string, isWaiting: boolean): Promise<void> {
  const { all, tenant } = await layers.layerOf(tenantId);
  const { changes } = tenantId === EVERY_TENANT ? all : tenant;
  // Refused suggestions do not count.
  const counting = [...changes.values()].filter((change) => change.suggestedBy === null || !change.state.isHidden);
  if (counting.length >= MAX_CHANGES)
    throw new AppError(
      'OBJECTS_TOO_MANY',
      `${MAX_CHANGES} objects are changed one by one already. Import the others from a file.`,
    );
  if (isWaiting && (await layers.listWaiting(tenantId)).length >= MAX_WAITING)
    throw new AppError(
      'OBJECTS_TOO_MANY',
      `${MAX_WAITING} suggestions wait already. Ask your administrators to look through them.`,
    );
}

/** Errors: OBJECT_KNOWN if the object exists, is hidden, or is suggested. */
async function refuseExistingObject(deps: ObjectChangesDeps, target: ObjectTarget): Promise<void> {
  const layer = await deps.layers.layerOf(target.tenantId);
  const existing = await deps.catalog.findObject(layer, target.url);
  const before = await findLastObjectChange(deps, target);
  if (existing === null && before === null) return;
  const title = existing?.fields.title ?? before?.state.fields.title ?? target.url;
  let how: keyof typeof refusals = 'there';
  if (existing?.hiddenFor != null || before?.state.isHidden) how = 'hidden';
  if (before?.state.isWaiting) how = 'waiting';
  throw new AppError('OBJECT_KNOWN', `“${title}” ${refusals[how]}`, { data: { title, how } });
}

const refusals = {
  there: 'is in the catalogue already: search for it by its title.',
  hidden: 'is in the catalogue, but hidden. An administrator can show it again.',
  waiting: 'has been suggested before, and waits for an administrator.',
} as const;

/** Returns the same fields in the order of `findObjectEdits`. */
function sortChangedFields(fields: ObjectState['fields']): ObjectState['fields'] {
  return Object.fromEntries(
    objectFieldNames.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}

function chooseChangeScope({ tenantId, forAll }: Pick<ObjectTarget, 'tenantId' | 'forAll'>): string {
  return forAll ? EVERY_TENANT : tenantId;
}

function requireObjectAddress(url: string): string {
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

/** Returns a layer without the edits of its tenant: with those for all tenants only. */
export function withoutTenantEdits(layer: TenantLayer): TenantLayer {
  const tenant = { tenantId: '', version: '', changes: new Map() };
  return { ...layer, tenant, stamp: layer.all.version };
}

function withoutObjectChanges(layer: TenantLayer): TenantLayer {
  return { ...withoutTenantEdits(layer), all: { ...layer.all, version: '', changes: new Map() }, stamp: '' };
}

function describeStateChange(before: ObjectState, state: ObjectState): Readonly<Record<string, string>> {
  const toPlain = ({ isHidden, fields }: ObjectState) => ({ hidden: isHidden ? 'yes' : 'no', ...fields });
  return describeChangeForAudit(toPlain(before), toPlain(state));
}

function createObjectChangedError(title: string): AppError {
  return new AppError(
    'CHANGED_MEANWHILE',
    `“${title}” was changed by someone else meanwhile. Reload the page and make your change again.`,
  );
}

export function createObjectUnknownError(): AppError {
  return new AppError(
    'OBJECT_UNKNOWN',
    'There is no such object any more: it was taken out of the catalogue, or the suggestion was decided. Go back to the list.',
  );
}

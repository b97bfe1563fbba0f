import type { Actor } from '#domain/admin';
import { findObjectEdits, type ObjectFields, objectFieldNames } from '#domain/object-fields';
import { AppError } from '#errors';
import type { ObjectState } from '#ports/store/store';
import {
  createChangedError,
  createObjectRecords,
  createUnknownError,
  type ObjectChangesDeps,
  type ObjectTarget,
  unchanged,
} from './object-records.ts';

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

import { LRUCache } from 'lru-cache';
import type { LearningObject } from '#domain/learning-object';
import { limitEntries } from '#domain/limit-entries';
import type { ObjectFields } from '#domain/object-fields';
import { AppError } from '#errors';
import type { Keyring } from '#services/host/keyring';

export interface HandleLookup {
  readonly object: LearningObject;
  /** Identifies the search that found the object, for feedback; null if none did. */
  readonly requestId: string | null;
  /** The words that the person searched for; absent if the object did not come from a search. */
  readonly words?: string | undefined;
  /** Fields of the object to suggest to colleagues once it is placed; absent for no suggestion. */
  readonly suggestion?: ObjectFields | undefined;
}

export interface HandleScope {
  readonly keyring: Pick<Keyring, 'seal' | 'open' | 'isCurrent'>;
  readonly tenantId: string;
}

/** Limit in characters; enough for a sealed object of 64 kB. */
export const MAX_HANDLE_LENGTH = 100_000;

const sealedObjects = new LRUCache<LearningObject, HandleScope & { readonly handle: string }>(limitEntries(2_000));

/** Seals an object for a form, so that only objects of searches can be embedded. The handle of an
 *  object alone stays the same until the key of the host changes. */
export function sealHandle(lookup: HandleLookup, { keyring, tenantId }: HandleScope): string {
  const { object, requestId, words, suggestion } = lookup;
  const isAlone = requestId === null && words === undefined && suggestion === undefined;
  const sealed = isAlone ? sealedObjects.get(object) : undefined;
  if (sealed?.tenantId === tenantId && sealed.keyring === keyring && keyring.isCurrent(sealed.handle))
    return sealed.handle;
  const handle = keyring.seal(JSON.stringify({ object, requestId, words, suggestion }), handleContextOf(tenantId));
  if (isAlone) sealedObjects.set(object, { keyring, tenantId, handle });
  return handle;
}

/** Errors: FORM_INVALID for a handle of another tenant, or of a former key of the host. */
export function openHandle(handle: string, { keyring, tenantId }: HandleScope): HandleLookup {
  try {
    return JSON.parse(keyring.open(handle, handleContextOf(tenantId))) as HandleLookup;
  } catch {
    throw new AppError(
      'FORM_INVALID',
      'This object did not come from a search in this window, or it came too long ago. Search for it again.',
    );
  }
}

const handleContextOf = (tenantId: string) => `found object of ${tenantId}`;

import { LRUCache } from 'lru-cache';
import type { LearningObject } from '#domain/learning-object';
import { limitEntries } from '#domain/limit-entries';
import type { ObjectFields } from '#domain/object-fields';
import { AppError } from '#errors';
import type { Keyring } from '#services/host/keyring';

export interface HandleLookup {
  readonly object: LearningObject;
  /** Of the search that found it, for feedback; null if it was not found by one. */
  readonly requestId: string | null;
  /** The person's own words for it; absent if it was not found by any. */
  readonly words?: string | undefined;
  /** What colleagues are to find once it is placed; absent if nothing is suggested to them. */
  readonly suggestion?: ObjectFields | undefined;
}

export interface HandleScope {
  readonly keyring: Pick<Keyring, 'seal' | 'open' | 'isCurrent'>;
  readonly tenantId: string;
}

/** Characters of a handle at most, for a sealed object of 64 kB. */
export const MAX_HANDLE_LENGTH = 100_000;

/** Of the objects that pages showed last. */
const sealedObjects = new LRUCache<LearningObject, HandleScope & { readonly handle: string }>(limitEntries(2_000));

/** Sealed, so that nothing can be embedded that no search found. The handle of an object alone is
 *  the same until the key of the host changes. */
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

/** Errors: FORM_INVALID for another tenant's handle, or after a change of the host's key. */
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

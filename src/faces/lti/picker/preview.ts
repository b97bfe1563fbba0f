import { z } from 'zod';
import { AppError } from '#errors';
import { type FoundHandle, MAX_HANDLE_LENGTH, openHandle } from '#faces/object-view/handle';
import { findLookFrame, findLookLike, type LookFrame, type LookLike } from '#faces/object-view/look';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { type Card, readCards } from './cards.ts';
import { noteLookedInto } from './looked-into.ts';

/** What `views/lti/partials/preview.eta` shows. */
export interface PreviewModel extends LookFrame {
  readonly card: Card;
}

const handleField = z.string().min(1).max(MAX_HANDLE_LENGTH);

/** Null for a handle that does not belong to this tenant. */
export async function readPreview(
  deps: Pick<LtiFaceDeps, 'keyring' | 'shelf' | 'insight'>,
  context: LaunchContext,
): Promise<PreviewModel | null> {
  const found = findByHandle(deps.keyring, context);
  if (found === null) return null;
  noteLookedInto(deps, context, found);
  deps.insight.noteObject(context.launch.tenantId, 'opened', found.object);
  const [card] = await readCards([found], deps, context);
  return card === undefined ? null : { card, ...findLookFrame(found.object) };
}

/** Objects like the one that is looked at; none for a handle that does not belong to this tenant. Nobody searched for them, so
 *  nothing is counted. */
export async function readLike(deps: LtiFaceDeps, context: LaunchContext): Promise<readonly LookLike[]> {
  const { keyring, onProblem } = deps;
  const { launch, signal } = context;
  const { tenantId } = launch;
  const found = findByHandle(keyring, context);
  if (found === null) return [];
  const tenant = await deps.tenants.getTenant(tenantId);
  const search = { discovery: deps.trialOf(tenantId), tenant, signal, onProblem };
  return findLookLike({ search, words: context, keyring, tenantId }, found.object);
}

function findByHandle(keyring: LtiFaceDeps['keyring'], { form, launch }: LaunchContext): FoundHandle | null {
  const handle = handleField.safeParse(form.get('handle'));
  if (!handle.success) return null;
  try {
    return openHandle(handle.data, { keyring, tenantId: launch.tenantId });
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORM_INVALID') return null;
    throw error;
  }
}

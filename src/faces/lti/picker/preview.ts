import { z } from 'zod';
import { type Embedding, findEmbedding } from '../../../domain/embedding.ts';
import { AppError } from '../../../errors.ts';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { type Card, readCards } from './cards.ts';
import { type FoundHandle, MAX_HANDLE_LENGTH, openHandle } from './handle.ts';
import { noteLookedInto } from './looked-into.ts';

/** What `views/lti/partials/preview.eta` shows. */
export interface PreviewModel {
  readonly card: Card;
  /** Null where the object can only be opened in a tab of its own. */
  readonly embedding: Embedding | null;
  /** Of the object's address. */
  readonly host: string;
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
  const { url } = found.object;
  const [card] = await readCards([found], deps, context);
  if (card === undefined) return null;
  return {
    card,
    embedding: findEmbedding(url),
    host: new URL(url).host.replace(/^www\./, ''),
  };
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

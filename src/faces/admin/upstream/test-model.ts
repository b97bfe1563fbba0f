import type { Upstream } from '../../../domain/tenant.ts';
import type { UpstreamCall } from '../../../ports/upstream.ts';
import type { UpstreamChange } from '../../../services/tenants.ts';
import { destinationOf } from '../../../services/upstream-keys.ts';
import type { KeyHints } from './key-hints.ts';

/** Which key a call was made with: the list of providers needs none. */
export type KeyUsed = 'not-needed' | 'typed' | 'saved' | 'none';

export interface CallView extends UpstreamCall {
  readonly keyUsed: KeyUsed;
  /** Whether the key is that of the marketplace gateway. */
  readonly isAtGateway: boolean;
}

/** What a test found, for the page.
 *  @param saved the upstream that the saved keys are for */
export function toCallViews(
  calls: readonly UpstreamCall[],
  { draft, saved, hints }: { draft: UpstreamChange; saved: Upstream; hints: KeyHints },
): CallView[] {
  return calls.map((call) => {
    const isAtGateway = draft.upstream.kind === 'gateway' && call.operation === 'search-provider';
    const name = isAtGateway ? 'marketplaceKey' : 'apiKey';
    const secret = isAtGateway ? 'marketplace-key' : 'upstream-api-key';
    const stays = destinationOf(saved, secret) === destinationOf(draft.upstream, secret);
    const isSaved = hints[name] !== null && stays;
    const keyUsed = draft[name] ? 'typed' : isSaved ? 'saved' : 'none';
    return { ...call, isAtGateway, keyUsed: call.operation === 'provider' ? 'not-needed' : keyUsed };
  });
}

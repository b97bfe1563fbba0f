import type { UpstreamCall } from '../../../ports/upstream.ts';
import type { UpstreamChange } from '../../../services/tenants/tenants.ts';
import type { KeyHints } from './upstream-keys.ts';

/** Which key a call was made with: the list of providers needs none. */
export type KeyUsed = 'not-needed' | 'typed' | 'saved' | 'none';

export interface CallView extends UpstreamCall {
  readonly keyUsed: KeyUsed;
  /** Whether the key is that of the marketplace gateway. */
  readonly isAtGateway: boolean;
}

/** What a test found, for the page.
 *  @param hints of the keys that are saved for the addresses of the draft */
export function toCallViews(
  calls: readonly UpstreamCall[],
  { draft, hints }: { draft: UpstreamChange; hints: KeyHints },
): CallView[] {
  return calls.map((call) => {
    const isAtGateway = draft.upstream.kind === 'gateway' && call.operation === 'search-provider';
    const name = isAtGateway ? 'marketplaceKey' : 'apiKey';
    const keyUsed = draft[name] ? 'typed' : hints[name] !== null ? 'saved' : 'none';
    return { ...call, isAtGateway, keyUsed: call.operation === 'provider' ? 'not-needed' : keyUsed };
  });
}

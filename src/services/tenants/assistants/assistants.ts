import type { Outbound } from '#ports/outbound';
import type { Store } from '#ports/store/store';
import type { Keyring } from '#services/host/keyring';
import type { Audit } from '../audit.ts';
import { type AssistantAccessDeps, createAssistantAccess } from './access.ts';
import { createAuthorizations } from './authorizations.ts';
import { createAssistantClients } from './clients.ts';
import { createAssistantGrants } from './grants.ts';

export type { AssistantCaller } from './access.ts';
export type { PendingAuthorization } from './authorizations.ts';
export type { GrantView } from './grants.ts';

export interface AssistantsDeps extends AssistantAccessDeps, Pick<Store, 'nonces'> {
  readonly outbound: Outbound;
  readonly audit: Audit;
  readonly keyring: Pick<Keyring, 'mark'>;
  /** Public address of the host, without a slash at the end. */
  readonly issuer: string;
}

/** The OAuth 2.1 authorization server that MCP requires, for administrators, and for teachers with
 *  a code from their course. */
export function createAssistants(deps: AssistantsDeps) {
  const clients = createAssistantClients(deps);
  const authorizations = createAuthorizations({ ...deps, clients });
  const grants = createAssistantGrants({ ...deps, authorizations });
  return { access: createAssistantAccess(deps), clients, authorizations, grants };
}

export type Assistants = ReturnType<typeof createAssistants>;

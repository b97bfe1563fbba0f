import { isInScope } from '#domain/admin';
import { isMetadataAddress } from '#domain/assistants';
import { AppError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import type { PendingAuthorization } from '#services/tenants/assistants/assistants';
import { refuseTurnedOff } from '#services/tenants/assistants/refusal';
import { createTenantAccessError } from '../access.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type AdminRoute, makePage, type Reply, type SignedInContext } from '../route.ts';
import { readTenantChoices } from '../tenants/tenant-choices.ts';

/** Where somebody who is signed in says whether an assistant may ask in their name, and for which tenant. */
export function connectRoutes({ assistants, tenants }: AdminFaceDeps): AdminRoute[] {
  const { authorizations } = assistants;

  async function ask({ param, signedIn }: SignedInContext): Promise<Reply> {
    const pending = await authorizations.find(param('requestId'));
    if (pending === null) return over();
    const choices = await readTenantChoices(tenants, signedIn.admin.tenants, takesAssistants);
    return makePage('connect', { id: param('requestId'), ...describe(pending), choices });
  }

  async function answer(context: SignedInContext): Promise<Reply> {
    const { param, form, signedIn, actor } = context;
    const id = param('requestId');
    try {
      if (form.get('answer') !== 'yes') return leave(await authorizations.deny(id), false);
      const tenantId = form.get('tenant') ?? '';
      if (!isInScope(signedIn.admin.tenants, tenantId)) throw createTenantAccessError(tenantId);
      if (!takesAssistants(await tenants.getTenant(tenantId))) throw refuseTurnedOff();
      return leave(await authorizations.approve(actor, id, { adminId: signedIn.admin.id, tenantId }), true);
    } catch (error) {
      if (error instanceof AppError && error.code === 'ASSISTANT_REFUSED') return over();
      throw error;
    }
  }

  const path = '/connect/:requestId';
  return [
    { method: 'get', path, access: 'viewer', handle: ask },
    { method: 'post', path, access: 'viewer', handle: answer },
  ];
}

/** Who asks, and where the answer goes: the one thing about it that is certain. */
function describe({ clientName, clientId, redirectUri }: PendingAuthorization) {
  const { protocol, host } = new URL(redirectUri);
  return {
    name: clientName,
    goesTo: host === '' || !/^https?:$/.test(protocol) ? `${protocol}//${host}` : host,
    publishedAt: isMetadataAddress(clientId) ? new URL(clientId).host : null,
  };
}

const takesAssistants = ({ status, hasAssistants }: TenantRecord) => status === 'active' && hasAssistants;

const over = (): Reply => makePage('connect-over', {}, { status: 404 });

/** A page instead of a redirect: after a form, browsers follow none to another site (CSP, form-action). */
const leave = (leaveFor: string, isAllowed: boolean): Reply =>
  makePage('connect-leave', { leaveFor, isAllowed });

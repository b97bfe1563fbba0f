import type { SlackInstallationRecord, TenantRecord } from '../../../ports/store/store.ts';
import type { AdminFaceDeps } from '../deps.ts';
import type { SignedInContext } from '../route.ts';

export interface LoadedWorkspace {
  readonly tenant: TenantRecord;
  readonly workspace: SlackInstallationRecord;
}

export type LoadWorkspace = (context: Pick<SignedInContext, 'params'>) => Promise<LoadedWorkspace>;

/** Find what `:tenantId` and `:workspaceId` of a path name. Errors: TENANT_UNKNOWN; SLACK_WORKSPACE_UNKNOWN for a workspace
 *  of another tenant, too. */
export function createLoadWorkspace({
  tenants,
  slackInstallations,
}: Pick<AdminFaceDeps, 'tenants' | 'slackInstallations'>): LoadWorkspace {
  return async ({ params }) => {
    const tenant = await tenants.getTenant(params.tenantId!);
    return { tenant, workspace: await slackInstallations.getInstallation([tenant.id], params.workspaceId!) };
  };
}

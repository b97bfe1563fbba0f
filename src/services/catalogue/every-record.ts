import {
  EVERY_TENANT,
  type LinkCheck,
  type LinkCheckRepository,
  type LinkState,
  type ObjectChange,
  type ObjectLayerRepository,
  type TenantRepository,
} from '#ports/store/store';
import { readEveryItemAfter } from '#services/host/every-item';

const CHECKS_AT_ONCE = 1_000;

/** Reads all checks of links in one state, in batches of a thousand: as many as a store takes. */
export async function* readEveryLinkCheck(
  linkChecks: Pick<LinkCheckRepository, 'readLinkChecks'>,
  state: LinkState,
): AsyncGenerator<readonly LinkCheck[], undefined> {
  let after: string | null = null;
  for (;;) {
    const checks: readonly LinkCheck[] = await linkChecks.readLinkChecks({ state, after, limit: CHECKS_AT_ONCE });
    const last = checks.at(-1);
    if (last === undefined) return undefined;
    yield checks;
    after = last.url;
  }
}

export interface EveryObjectChangeDeps {
  readonly objectLayers: Pick<ObjectLayerRepository, 'readObjectChanges'>;
  readonly tenants: Pick<TenantRepository, 'listTenantIds'>;
}

const CHANGES_AT_ONCE = 500;

/** Reads the changes of single objects: those for all tenants, then those of each tenant. */
export async function* readEveryObjectChange(deps: EveryObjectChangeDeps): AsyncGenerator<ObjectChange, undefined> {
  const { objectLayers, tenants } = deps;
  const tenantIds = [...(await tenants.listTenantIds('active')), ...(await tenants.listTenantIds('disabled'))];
  for (const tenantId of [EVERY_TENANT, ...tenantIds])
    yield* readEveryItemAfter<ObjectChange>((last) =>
      objectLayers.readObjectChanges(tenantId, last?.address ?? null, CHANGES_AT_ONCE),
    );
  return undefined;
}

import { type Actor, systemActor } from '../domain/actor.ts';
import { DEFAULT_TENANT } from '../domain/tenant.ts';
import type { TenantRecord } from '../ports/store.ts';
import type { SecretName } from './secrets.ts';
import { describeChange, showUpstream } from './tenant-changes.ts';
import { changedMeanwhile } from './tenant-records.ts';
import type { TenantsDeps, UpstreamChange } from './tenants.ts';
import { destinationOf, upstreamKeyNames } from './upstream-keys.ts';

export interface UpstreamChanges {
  /** Errors: CHANGED_MEANWHILE. */
  changeUpstream(actor: Actor, record: TenantRecord, change: UpstreamChange): Promise<TenantRecord>;
  /** Saves the keys that the default tenant begins with and does not have yet: as long as nobody has changed it, since a
   *  host may have been stopped between making the tenant and saving them. */
  saveInitialKeys(initial: Omit<UpstreamChange, 'version'>): Promise<void>;
}

/** Changes of where a tenant's searches go. At no moment is a key sent to an address it was not given for: keys that have
 *  to go are removed before the address changes, new ones are saved after it. */
export function createUpstreamChanges({ tenants, secrets, audit, clock }: TenantsDeps): UpstreamChanges {
  async function replace(record: TenantRecord, change: Partial<TenantRecord>): Promise<TenantRecord> {
    const next = { ...record, ...change, updatedAt: clock.now(), version: record.version + 1 };
    if (!(await tenants.replaceTenant(next))) throw changedMeanwhile(record.name);
    return next;
  }

  async function removeKeys(actor: Actor, tenant: TenantRecord, names: readonly SecretName[]): Promise<void> {
    for (const name of names) {
      if (!(await secrets.removeSecret(tenant.id, name))) continue;
      const { id: tenantId, name: target } = tenant;
      await audit.record(actor, { action: 'tenant.key-removed', tenantId, target, details: { key: name } });
    }
  }

  async function saveKey(
    actor: Actor,
    tenant: TenantRecord,
    key: { readonly name: SecretName; readonly plain: string },
  ): Promise<void> {
    const { id: tenantId, name: target } = tenant;
    await secrets.putSecret(tenantId, key.name, key.plain);
    await audit.record(actor, { action: 'tenant.key-saved', tenantId, target, details: { key: key.name } });
  }

  return {
    async changeUpstream(actor, record, change) {
      const { upstream } = change;
      const leaving: SecretName[] = [];
      for (const name of upstreamKeyNames) {
        const isSaved = (await secrets.findHint(record.id, name)) !== null;
        if (isSaved && mustLeave(name, record, change)) leaving.push(name);
      }
      // Of two who change it at once, only the one who gets this version removes keys.
      const held = leaving.length === 0 ? record : await replace(record, {});
      await removeKeys(actor, record, leaving);
      const changed = await replace(held, { upstream });
      const details = describeChange(showUpstream(record.upstream), showUpstream(upstream));
      if (Object.keys(details).length > 0) {
        const event = {
          action: 'tenant.upstream-changed',
          tenantId: record.id,
          target: record.name,
        } as const;
        await audit.record(actor, { ...event, details });
      }
      for (const name of upstreamKeyNames) {
        const plain = givenKey(change, name);
        if (plain && destinationOf(upstream, name) !== null) await saveKey(actor, changed, { name, plain });
      }
      return changed;
    },

    async saveInitialKeys(initial) {
      const tenant = await tenants.findTenant(DEFAULT_TENANT);
      if (tenant?.version !== 1) return;
      for (const name of upstreamKeyNames) {
        const plain = givenKey(initial, name);
        const destination = destinationOf(initial.upstream, name);
        if (!plain || destination === null || destinationOf(tenant.upstream, name) !== destination) continue;
        if ((await secrets.findHint(tenant.id, name)) === null)
          await saveKey(systemActor, tenant, { name, plain });
      }
    },
  };
}

/** Undefined keeps the saved one, null removes it. */
function givenKey(
  { apiKey, marketplaceKey }: Omit<UpstreamChange, 'version'>,
  name: SecretName,
): string | null | undefined {
  return name === 'upstream-api-key' ? apiKey : marketplaceKey;
}

function mustLeave(name: SecretName, { upstream }: TenantRecord, change: UpstreamChange): boolean {
  const isLedElsewhere = destinationOf(upstream, name) !== destinationOf(change.upstream, name);
  return isLedElsewhere || givenKey(change, name) === null;
}

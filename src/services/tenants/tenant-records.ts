import { randomBytes } from 'node:crypto';
import { MAX_RETENTION_DAYS } from '#domain/feedback';
import { type FeedbackSettings, initialDefaults, initialFeedbackSettings, type Upstream } from '#domain/tenant';
import { cleanName, findNameProblem, foldText, isEmail, MAX_NAME_LENGTH } from '#domain/text';
import { AppError, type Problem } from '#errors';
import type { Clock } from '#ports/clock';
import type { Store, TenantRecord, TenantRepository } from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import type { Secrets } from '#services/host/secrets';
import type { Audit } from './audit.ts';

export interface TenantsDeps extends Pick<Store, 'tenants'> {
  readonly secrets: Secrets;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Milliseconds from marking a tenant as deleted to removing its data; 1,500 when absent. */
  readonly graceMs?: number;
}

export function makeTenant(
  id: string,
  name: string,
  { now, upstream = { kind: 'local' } }: { readonly now: Date; readonly upstream?: Upstream | undefined },
): TenantRecord {
  return {
    id,
    name,
    status: 'active',
    upstream,
    defaults: initialDefaults,
    branding: { title: null, accent: null },
    suggestions: 'approval',
    hasAssistants: true,
    requiresSecondFactor: false,
    feedback: initialFeedbackSettings,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
}

const MAX_LENGTH = 40;
const RANDOM_LENGTH = 5;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Makes an ID from a name, such as `lycee-hugo-7k3fq`. As its end is random, it is not the ID of a
 *  deleted tenant, whose keys, caches and links may still exist. */
export function makeTenantId(name: string): string {
  const words = foldText(name).match(/[a-z0-9]+/g) ?? ['tenant'];
  const slug = words.join('-').slice(0, MAX_LENGTH - RANDOM_LENGTH - 1);
  const end = [...randomBytes(RANDOM_LENGTH)].map((byte) => BASE32[byte % BASE32.length]).join('');
  return `${slug.replace(/-$/, '')}-${end}`;
}

/** Returns the name as it is stored. Errors: FORM_INVALID. */
export function validateTenantName(name: string): string {
  const cleaned = cleanName(name);
  if (findNameProblem(cleaned) === null) return cleaned;
  const problem = `must have 1 to ${MAX_NAME_LENGTH} printable characters`;
  throw new AppError('FORM_INVALID', 'The name of the tenant cannot be used. Give it another one.', {
    problems: [{ path: 'name', problem }],
  });
}

/** Returns the settings as they are stored. Errors: FORM_INVALID with every problem. */
export function validateTenantFeedback(typed: FeedbackSettings): FeedbackSettings {
  const settings = { ...typed, sharedEmail: typed.sharedEmail?.trim() ?? null };
  const problems = findTenantProblems(settings);
  if (problems.length === 0) return settings;
  throw new AppError('FORM_INVALID', 'Nothing was changed: correct what is marked, and send it again.', { problems });
}

function findTenantProblems({ sharedEmail, retentionDays }: FeedbackSettings): Problem[] {
  const problems: Problem[] = [];
  if (sharedEmail !== null && !isEmail(sharedEmail))
    problems.push({ path: 'sharedEmail', problem: 'must be an e-mail address' });
  const isWrong = (days: number) => !Number.isSafeInteger(days) || days < 1 || days > MAX_RETENTION_DAYS;
  if (retentionDays !== null && isWrong(retentionDays))
    problems.push({
      path: 'retentionDays',
      problem: `must be a whole number from 1 to ${MAX_RETENTION_DAYS.toLocaleString('en')}`,
    });
  return problems;
}

/** Errors: TENANT_UNKNOWN. */
export async function getLivingTenant(tenants: TenantRepository, id: string): Promise<TenantRecord> {
  const record = await tenants.findTenant(id);
  if (record === null || record.status === 'deleting') throw createTenantUnknownError(id);
  return record;
}

/** Errors: TENANT_UNKNOWN, TENANT_DISABLED. */
export async function getActiveTenant(tenants: TenantRepository, id: string): Promise<TenantRecord> {
  const record = await getLivingTenant(tenants, id);
  if (record.status === 'active') return record;
  const message = `${record.name} is disabled at the moment. Ask the operator of this host to enable it.`;
  throw new AppError('TENANT_DISABLED', message);
}

/** Returns the only tenant of this name, ignoring case. Errors: TENANT_UNKNOWN, also for two. */
export async function getTenantByName(tenants: TenantRepository, typed: string): Promise<TenantRecord> {
  const name = cleanName(typed);
  const matches: TenantRecord[] = [];
  for await (const tenant of tenantsWith(tenants, name))
    if (tenant.status !== 'deleting' && foldText(tenant.name) === foldText(name)) matches.push(tenant);
  const [tenant] = matches;
  if (tenant === undefined) throw createTenantUnknownError(name);
  if (matches.length === 1) return tenant;
  const ids = matches.map(({ id }) => id).join(', ');
  throw new AppError('TENANT_UNKNOWN', `Several tenants are called ${name}. Give the id of one: ${ids}.`);
}

function tenantsWith(tenants: TenantRepository, search: string): AsyncIterable<TenantRecord> {
  const filter = { scope: null, search, sort: 'createdAt', descending: false } as const;
  return readEveryItem((part) => tenants.listTenants({ ...filter, ...part }));
}

export function createTenantUnknownError(idOrName: string): AppError {
  const message = `There is no tenant ${idOrName}. "skilldock tenants list" and the admin page show them all.`;
  return new AppError('TENANT_UNKNOWN', message);
}

export function createChangedMeanwhileError(name: string): AppError {
  return new AppError(
    'CHANGED_MEANWHILE',
    `${name} was changed by someone else in the meantime, so nothing was saved. Load it again and repeat your change.`,
  );
}

export function createTenantProtectedError(change: 'disabled' | 'deleted'): AppError {
  const message = `The default tenant cannot be ${change}: the front page and the demo key belong to it.`;
  return new AppError('TENANT_PROTECTED', message);
}

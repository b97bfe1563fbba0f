import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { isInAdminScope } from '#domain/admin';
import {
  ASSISTANT_PATH,
  isMetadataAddress,
  isOnInternet,
  listAssistantSetups,
  toAdminPerson,
} from '#domain/assistants';
import { AppError, hasErrorCode } from '#errors';
import type { ShelfOwner, TenantRecord } from '#ports/store/store';
import { projectRoot } from '#project-root';
import type { SignedIn } from '#services/tenants/admins/admin-sessions';
import { createAccessDisabledError } from '#services/tenants/assistants/access';
import type { PendingAuthorization } from '#services/tenants/assistants/assistants';
import type { Tenants } from '#services/tenants/tenants';
import { createTenantAccessError, describeAccessRefusal, requireAccess } from '../access.ts';
import { CHART_DAYS, drawToolUsageCharts } from '../overview/usage-charts.ts';
import type { PageContext, PageOptions, Reply, SignedInContext } from '../route.ts';
import { get, makePage, makeRedirect, post } from '../route.ts';
import { makeTenantListRoutes, readTenantChoices } from '../tenants/tenant-lists.ts';

const TENANT_ASSISTANTS = '/tenants/:tenantId/assistants';

async function switchAssistants({ param, form, actor, tenants }: SignedInContext): Promise<Reply> {
  const { id, version } = await tenants.getTenant(param('tenantId'));
  const hasAssistants = form.get('on') === 'yes';
  await tenants.changeTenant(actor, id, { version, hasAssistants });
  return makeRedirect(`/tenants/${id}/assistants/new`, hasAssistants ? 'assistants-on' : 'assistants-off');
}

/** Leads back to the form without an ID from Microsoft, or if Microsoft cannot reach this host. */
async function downloadAssistantPackage({ param, query, publicUrl }: SignedInContext): Promise<Reply> {
  const referenceId = query.get('reference')?.trim() ?? '';
  if (referenceId === '' || referenceId.length > 128 || !isOnInternet(publicUrl))
    return makeRedirect(`/tenants/${param('tenantId')}/assistants/new`);
  const zip = writeAssistantPackage(publicUrl, referenceId);
  return { kind: 'download', name: 'skilldock-microsoft-365.zip', type: 'application/zip', lines: [zip] };
}

/** Ends the connection of an assistant. Errors: ASSISTANT_UNKNOWN for one of another tenant. */
async function endAssistant({ param, actor, assistants }: SignedInContext): Promise<Reply> {
  const id = param('grantId');
  const grant = await assistants.grants.find(id);
  if (grant !== null && grant.tenantId !== param('tenantId'))
    throw new AppError('ASSISTANT_UNKNOWN', 'This tenant has no such assistant.');
  // Pressing twice is the same as pressing once.
  if (grant !== null) await assistants.grants.end(actor, id);
  return makeRedirect(`/assistants?tenant=${param('tenantId')}`, 'assistant-ended');
}

/** Asks for the consent: administrators choose a tenant, others enter a code from a course. */
async function showAssistantRequest(
  { param, signedIn, assistants, tenants }: PageContext,
  problem: string | null = null,
  options?: PageOptions,
): Promise<Reply> {
  const id = param('requestId');
  const pending = await assistants.authorizations.find(id);
  if (pending === null) return makeExpiredAssistantPage();
  const choices = signedIn && (await readConsentTenants(signedIn, tenants));
  return makePage('connect', { id, ...describeAssistantRequest(pending), choices, problem }, options);
}

/** Reads the tenants for which somebody may allow an assistant: none for an auditor. */
const readConsentTenants = async ({ admin }: SignedIn, tenants: Tenants) =>
  admin.role === 'auditor' ? [] : readTenantChoices(tenants, admin.tenants, acceptsAssistants);

async function answerAssistantRequest(context: PageContext): Promise<Reply> {
  const { assistants, param, form, signedIn, caller, t } = context;
  const { authorizations } = assistants;
  const id = param('requestId');
  const isAllowed = form.get('answer') === 'yes';
  const approve = () =>
    signedIn === null
      ? authorizations.approveByTeacher(id, { code: form.get('code') ?? '', address: caller.address ?? '' })
      : approveAssistantAsAdmin(requireAccess({ access: 'viewer' }, context), id);
  try {
    // A page leads on, as the CSP (form-action) stops redirects of forms to other sites.
    return makePage('connect-leave', { leaveFor: await (isAllowed ? approve() : authorizations.deny(id)), isAllowed });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'ASSISTANT_REFUSED') return makeExpiredAssistantPage();
    if (signedIn !== null || !consentCodes.includes(error.code)) throw error;
    return showAssistantRequest(context, t(`connect.problems.${error.code}`), describeAccessRefusal(error, 422));
  }
}

/** Errors that the page of the consent shows to a teacher, who can enter another code. */
const consentCodes = ['LINK_CODE_INVALID', 'LINK_CODE_THROTTLED', 'ASSISTANTS_OFF'];

async function approveAssistantAsAdmin({ assistants, tenants, form, signedIn, actor }: SignedInContext, id: string) {
  const tenantId = form.get('tenant') ?? '';
  if (!isInAdminScope(signedIn.admin.tenants, tenantId)) throw createTenantAccessError(tenantId);
  if (!acceptsAssistants(await tenants.getTenant(tenantId))) throw createAccessDisabledError();
  return assistants.authorizations.approve(actor, id, { adminId: signedIn.admin.id, tenantId });
}

/** Describes the client, unverified, and the verified address that receives the answer. */
function describeAssistantRequest({ clientName, clientId, redirectUri }: PendingAuthorization) {
  const { protocol, host } = new URL(redirectUri);
  return {
    name: clientName,
    goesTo: host === '' || !/^https?:$/.test(protocol) ? `${protocol}//${host}` : host,
    publishedAt: isMetadataAddress(clientId) ? new URL(clientId).host : null,
  };
}

const acceptsAssistants = ({ status, hasAssistants }: TenantRecord) => status === 'active' && hasAssistants;
const makeExpiredAssistantPage = (): Reply => makePage('connect-over', {}, { status: 404 });

/** Serves the consent, one's assistants, the list with the use of tools, and a tenant's switch. */
export const assistantsRoutes = [
  get('/connect/:requestId', 'anyone', (context) => showAssistantRequest(context)),
  post('/connect/:requestId', 'anyone', answerAssistantRequest),
  get('/account/assistants', 'account', (context) => showPersonalAssistants(context)),
  post('/account/assistants/shelf', 'viewer', linkPersonalAssistants),
  post('/account/assistants/:grantId/end', 'account', endPersonalAssistant),
  ...makeTenantListRoutes({
    part: 'assistants',
    sorts: ['createdAt', 'clientName', 'lastUsedAt'],
    descending: true,
    find: (wanted, { assistants }) => assistants.grants.list({ ...wanted, adminId: null }),
    async show(grants, { scope, ...list }, context) {
      const named = grants.map(async (grant) => {
        const admin = grant.adminId === null ? null : await context.admins.findAdmin(grant.adminId);
        return { ...grant, name: admin?.name ?? grant.personName ?? '' };
      });
      const [rows, report] = await Promise.all([Promise.all(named), context.usage.report(scope, CHART_DAYS)]);
      return makePage('assistants', { ...list, grants: rows, charts: drawToolUsageCharts(report, context) });
    },
  }),
  get(`${TENANT_ASSISTANTS}/new`, 'manager', async ({ param, tenants, publicUrl }) => {
    const tenant = await tenants.getTenant(param('tenantId'));
    const model = {
      tenant,
      address: publicUrl + ASSISTANT_PATH,
      setups: listAssistantSetups(publicUrl),
      isReachable: isOnInternet(publicUrl),
    };
    return makePage('assistant-new', model);
  }),
  get(`${TENANT_ASSISTANTS}/microsoft-365.zip`, 'manager', downloadAssistantPackage),
  post(`${TENANT_ASSISTANTS}/switch`, 'manager', switchAssistants),
  post(`${TENANT_ASSISTANTS}/:grantId/end`, 'manager', endAssistant),
];

const MAX_ASSISTANTS = 200;

/** Errors of linking a shelf that the page shows, as the reader can do something about them. */
const shelfCodes = ['LINK_CODE_INVALID', 'LINK_CODE_THROTTLED', 'SHELF_FULL', 'CHANGED_MEANWHILE'] as const;

async function showPersonalAssistants(
  context: SignedInContext,
  problem: { readonly tenantId: string; readonly text: string } | null = null,
): Promise<Reply> {
  const { items: grants } = await context.assistants.grants.list({
    scope: null,
    adminId: context.signedIn.admin.id,
    search: '',
    sort: 'createdAt',
    descending: true,
    page: 0,
    pageSize: MAX_ASSISTANTS,
  });
  // A person has a shelf in each tenant in which an assistant is connected.
  const tenantIds = [...new Set(grants.map(({ tenantId }) => tenantId))];
  const shelves = tenantIds.map(async (tenantId) => ({
    ...(await describeAssistantShelf(context, tenantId)),
    problem: tenantId === problem?.tenantId ? problem.text : null,
  }));
  const model = { grants, shelves: await Promise.all(shelves) };
  return makePage('personal-assistants', model, { status: problem === null ? 200 : 422 });
}

/** Counts the courses in which the person has a shelf, and the linked accounts that share it. */
async function describeAssistantShelf(context: SignedInContext, tenantId: string) {
  const owner = findAssistantOwner(context, tenantId);
  const [tenant, courses, linkedCount] = await Promise.all([
    context.tenants.findTenant(tenantId),
    context.selections.countCourses(owner),
    context.people.countLinked(owner),
  ]);
  return { tenantId, tenantName: tenant?.name ?? tenantId, courses, others: linkedCount };
}

async function endPersonalAssistant({ param, signedIn, actor, assistants }: SignedInContext): Promise<Reply> {
  const grant = await assistants.grants.find(param('grantId'));
  if (grant?.adminId === signedIn.admin.id) await assistants.grants.end(actor, grant.id);
  return makeRedirect('/account/assistants', 'assistant-ended');
}

/** Links the person's assistants with another account by its code, or unlinks them. */
async function linkPersonalAssistants(context: SignedInContext): Promise<Reply> {
  const { people, form, t, signedIn } = context;
  const tenantId = form.get('tenant') ?? '';
  if (!isInAdminScope(signedIn.admin.tenants, tenantId)) throw createTenantAccessError(tenantId);
  const owner = findAssistantOwner(context, tenantId);
  if (form.get('action') === 'unlink') {
    await people.unlink(owner);
    return makeRedirect('/account/assistants', 'shelf-unlinked');
  }
  const code = (form.get('code') ?? '').trim();
  if (code === '') return showPersonalAssistants(context, { tenantId, text: t('problems.required') });
  try {
    await people.link(owner, code);
    return makeRedirect('/account/assistants', 'shelf-linked');
  } catch (error) {
    if (!hasErrorCode(error, ...shelfCodes)) throw error;
    const text = t(`ownAssistants.problems.${error.code}`, error.data);
    return showPersonalAssistants(context, { tenantId, text });
  }
}

const findAssistantOwner = ({ signedIn }: SignedInContext, tenantId: string): ShelfOwner => ({
  tenantId,
  person: toAdminPerson(signedIn.admin.id),
});

const packageFolder = join(projectRoot, 'views', 'microsoft-365');

/** Writes an app package of Microsoft 365 whose agents use the tools of this host.
 *  @param referenceId ID of the authorization that the administrator registered at Microsoft
 *  Source: Microsoft, "Register MCP servers as agent connectors for Microsoft 365". */
export function writeAssistantPackage(publicUrl: string, referenceId: string): Uint8Array {
  const values: Readonly<Record<string, string>> = {
    id: toAssistantAppId(publicUrl),
    publicUrl,
    fullName: `Skilldock at ${new URL(publicUrl).host}`.slice(0, 100),
    assistantPath: ASSISTANT_PATH,
    referenceId,
  };
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'manifest.json'), 'utf8'), (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '') : value,
  );
  const readIcon = (name: string) => new Uint8Array(readFileSync(join(packageFolder, name)));
  return zipSync({
    'manifest.json': strToU8(JSON.stringify(manifest, null, 2)),
    'color.png': readIcon('color.png'),
    'outline.png': readIcon('outline.png'),
  });
}

/** Derives a UUID that is the same for each package, so that a newer one replaces it. */
function toAssistantAppId(publicUrl: string): string {
  const hash = createHash('sha256').update(publicUrl).digest('hex').slice(0, 32);
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-a$4-$5');
}

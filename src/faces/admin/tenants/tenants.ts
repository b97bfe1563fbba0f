import { z } from 'zod';
import { BLACK, measureColourContrast, pickTextColour, readColour, WHITE } from '#domain/colour';
import type { PictureLinks } from '#domain/picture';
import { type Branding, DEFAULT_TENANT } from '#domain/tenant';
import type { TenantRecord } from '#ports/store/store';
import { makeFeedbackEmail } from '#services/people/feedback/given-feedback';
import { createTenantAccessError } from '../access.ts';
import { writeDefaultLanguage } from '../defaults/defaults.ts';
import type { AdminDeps } from '../deps.ts';
import { countFilteredFeedback } from '../feedback/feedback.ts';
import * as forms from '../forms/forms.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { readUpstreamKeyHints } from '../upstream/upstream.ts';

const newTenantForm = z.object({ name: forms.nameField });
const showNewTenant = (form: forms.FormState) => makePage('tenant-new', { form });

/** The part of a list that is asked for if only its total is shown. */
const firstItem = { search: '', sort: 'name', descending: false, page: 0, pageSize: 1 } as const;
const BRANDING_PATH = '/tenants/:tenantId/branding';

/** The list of tenants, new ones, and the settings, branding and deletion of each. */
export const tenantsRoutes = [
  get('/tenants', 'viewer', showTenants),
  // No tenant id begins with an underscore, so this is never the page of a tenant.
  get('/tenants/_new', 'owner', () => showNewTenant(forms.fillForm({}))),
  post('/tenants', 'owner', createTenantFromForm),
  get('/tenants/:tenantId', 'viewer', showTenant),
  get(BRANDING_PATH, 'viewer', showTenantBranding),
  post(BRANDING_PATH, 'manager', saveTenantBranding),
  // Reloading the answer by its address, or changing its language, shows the form.
  get(`${BRANDING_PATH}/preview`, 'viewer', showTenantBranding),
  post(`${BRANDING_PATH}/preview`, 'manager', previewTenantBranding),
  // A page with the consequences of disabling, enabling or deleting, and then the act.
  get('/tenants/:tenantId/disable', 'owner', (context) => showTenantQuestion(context, 'tenant-disable')),
  post('/tenants/:tenantId/disable', 'owner', switchTenant('disable')),
  get('/tenants/:tenantId/enable', 'owner', (context) => showTenantQuestion(context, 'tenant-enable')),
  post('/tenants/:tenantId/enable', 'owner', switchTenant('enable')),
  get('/tenants/:tenantId/delete', 'owner', async (context) =>
    showDeleteTenant(context, await getRemovableTenant(context), forms.fillForm({})),
  ),
  post('/tenants/:tenantId/delete', 'owner', deleteTenantFromForm),
];

async function showTenants({ query, signedIn, tenants }: SignedInContext): Promise<Reply> {
  const choice = readListChoice(query, ['name', 'createdAt']);
  const result = await tenants.listTenants({ ...choice, scope: signedIn.admin.tenants });
  const list = createListModel({ path: '/tenants', query, choice }, result);
  return makePage('tenants', { list, tenants: result.items });
}

function createTenantFromForm(context: SignedInContext): Promise<Reply> {
  return forms.submitForm(context, {
    schema: newTenantForm,
    show: showNewTenant,
    async save({ name }) {
      const { id } = await context.tenants.createTenant(context.actor, name);
      return makeRedirect(`/tenants/${id}`, 'tenant-created');
    },
  });
}

async function showTenant(context: SignedInContext): Promise<Reply> {
  const { param, t, locale, apiKeys, publicUrl, tenants, upstreams } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const [hints, keys] = await Promise.all([
    readUpstreamKeyHints(upstreams, tenant),
    apiKeys.listApiKeys({ scope: [tenant.id], ...firstItem }),
  ]);
  return makePage('tenant', {
    tenant,
    isDefault: tenant.id === DEFAULT_TENANT,
    hints,
    hostEmail: makeFeedbackEmail(publicUrl),
    keyCount: keys.total,
    language: writeDefaultLanguage(tenant.defaults, { t, locale }),
  });
}

async function showTenantQuestion({ param, tenants }: SignedInContext, view: string): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  return makePage(view, { tenant, isDefault: tenant.id === DEFAULT_TENANT });
}

async function showDeleteTenant(
  { apiKeys, feedback }: AdminDeps,
  tenant: TenantRecord,
  form: forms.FormState,
  status = 200,
) {
  const scope = [tenant.id];
  const [keys, feedbackCount] = await Promise.all([
    apiKeys.listApiKeys({ scope, ...firstItem }),
    countFilteredFeedback(feedback, { scope }),
  ]);
  const counts = { keyCount: keys.total, feedbackCount };
  const isDefault = tenant.id === DEFAULT_TENANT;
  return makePage('tenant-delete', { tenant, form, isDefault, ...counts }, { status });
}

/** Gets a tenant, also one whose removal was interrupted, to finish it. Errors: TENANT_UNKNOWN. */
async function getRemovableTenant({ param, tenants }: SignedInContext): Promise<TenantRecord> {
  const tenant = await tenants.findTenant(param('tenantId'));
  if (tenant === null) throw createTenantAccessError(param('tenantId'));
  return tenant;
}

async function deleteTenantFromForm(context: SignedInContext): Promise<Reply> {
  const { tenants, form, t, actor } = context;
  const tenant = await getRemovableTenant(context);
  const typed = form.get('confirmName') ?? '';
  if (tenant.id !== DEFAULT_TENANT && !isSameTenantName(typed, tenant.name)) {
    const problem = t(typed.trim() === '' ? 'problems.required' : 'problems.notTheName');
    const state = { ...forms.fillForm({ confirmName: typed }), problems: { confirmName: problem } };
    return showDeleteTenant(context, tenant, state, 422);
  }
  await tenants.deleteTenant(actor, tenant.id);
  return makeRedirect('/tenants', 'tenant-deleted');
}

function switchTenant(act: 'disable' | 'enable') {
  return async ({ param, actor, tenants }: SignedInContext): Promise<Reply> => {
    const id = param('tenantId');
    await tenants[`${act}Tenant`](actor, id);
    return makeRedirect(`/tenants/${id}`, `tenant-${act}d`);
  };
}

/** Whether the name was typed as browsers show it, with several blanks as one. */
function isSameTenantName(typed: string, name: string): boolean {
  const collapse = (text: string) => text.trim().replaceAll(/\s+/g, ' ');
  return collapse(typed) === collapse(name);
}

const MAX_TITLE = 100;
const MAX_LOGO = 2_000;
/** Minimum contrast with the page. Below it, the page only warns, as WCAG requires no edges. */
const MIN_EDGE_CONTRAST = 1.5;
/** Background colours of light and dark pages, as in `base.css`. */
const BACKGROUNDS = { light: '#f6f8f8', dark: '#101617' } as const;

const brandingForm = z.object({
  version: forms.versionField,
  name: forms.nameField,
  title: forms.optionalField(forms.nameField),
  logo: forms.optionalField(
    z
      .string()
      .trim()
      .max(MAX_LOGO, 'notALogo')
      .refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:', 'notALogo'),
  ),
  accent: z
    .string()
    .default('')
    .transform((text, context) => {
      const colour = readColour(text);
      if (colour === null && text.trim() !== '') context.addIssue({ code: 'custom', message: 'notAColour' });
      return colour;
    }),
});

function showTenantBrandingForm({ pictures }: AdminDeps, tenant: TenantRecord, form: forms.FormState): PageReply {
  const preview = describeTenantBranding(form, tenant, pictures);
  return makePage('tenant-branding', { tenant, form, preview, maxTitle: MAX_TITLE });
}

async function showTenantBranding(context: SignedInContext): Promise<Reply> {
  const tenant = await context.tenants.getTenant(context.param('tenantId'));
  const { name, version, branding } = tenant;
  const { title, accent, logo } = branding;
  const values = { version: String(version), name, title: title ?? '', accent: accent ?? '', logo: logo ?? '' };
  return showTenantBrandingForm(context, tenant, forms.fillForm(values));
}

function saveTenantBranding(context: SignedInContext): Promise<Reply> {
  const { tenants, param, actor } = context;
  return forms.submitFormChange(context, {
    schema: brandingForm,
    load: () => tenants.getTenant(param('tenantId')),
    versionOf: ({ version }) => version,
    show: (tenant, form) => showTenantBrandingForm(context, tenant, form),
    async save({ version, name, logo, ...colours }, { id }) {
      const branding = { ...colours, ...(logo !== null && { logo }) };
      await tenants.changeTenant(actor, id, { version, name, branding });
      return makeRedirect(`/tenants/${id}/branding`, 'branding-saved');
    },
  });
}

async function previewTenantBranding(context: SignedInContext): Promise<Reply> {
  const { param, form, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const read = forms.readForm(context, brandingForm);
  const state = 'state' in read ? read.state : forms.keepTypedFormValues(form);
  if (form.has('fragment'))
    return makePage('partials/branding-preview', { preview: describeTenantBranding(state, tenant, context.pictures) });
  return { ...showTenantBrandingForm(context, tenant, state), status: 'state' in read ? 422 : 200 };
}

/** Previews the branding as the tenant's pages would show it, with warnings about the colour. */
function describeTenantBranding({ values, problems }: forms.FormState, tenant: TenantRecord, pictures: PictureLinks) {
  const accent: Branding['accent'] = readColour(values.accent ?? '');
  const title = values.title?.trim() || values.name?.trim() || tenant.name;
  const logo = problems.logo === undefined ? (pictures.linkTo(values.logo ?? '')?.small ?? null) : null;
  if (accent === null) return { title, accent, logo, problem: problems.accent };
  const text = pickTextColour(accent);
  return {
    title,
    accent,
    logo,
    text,
    onWhite: measureColourContrast(accent, WHITE),
    onBlack: measureColourContrast(accent, BLACK),
    /** The pages, light or dark, on which the colour hardly stands out. */
    faintOn: (['light', 'dark'] as const).filter(
      (scheme) => measureColourContrast(accent, BACKGROUNDS[scheme]) < MIN_EDGE_CONTRAST,
    ),
  };
}

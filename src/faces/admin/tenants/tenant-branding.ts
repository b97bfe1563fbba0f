import { z } from 'zod';
import { BLACK, measureColourContrast, pickTextColour, readColour, WHITE } from '#domain/colour';
import type { Branding } from '#domain/tenant';
import type { TenantRecord } from '#ports/store/store';
import type { AdminDeps } from '../deps.ts';
import { nameField, optionalField, versionField } from '../forms/fields.ts';
import { type FormState, fillForm, keepTyped, readForm, refuseFormChange } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';

const MAX_TITLE = 100;
/** Minimum contrast at which a bar or button stands out from the page. Below it, the page only
 *  warns, as WCAG does not require a visible edge around readable text. */
const MIN_EDGE_CONTRAST = 1.5;
/** Background colours of light and dark pages, as in `base.css`. */
const GROUNDS = { light: '#f6f8f8', dark: '#101617' } as const;

const brandingForm = z.object({
  version: versionField,
  name: nameField,
  title: optionalField(nameField),
  accent: z
    .string()
    .default('')
    .transform((text, context) => {
      const colour = readColour(text);
      if (colour === null && text.trim() !== '') context.addIssue({ code: 'custom', message: 'notAColour' });
      return colour;
    }),
});

const path = '/tenants/:tenantId/branding';

/** The name, title and colour of a tenant. */
export const tenantBrandingRoutes: AdminRoute[] = [
  { method: 'get', path, access: 'viewer', handle: showBranding },
  { method: 'post', path, access: 'manager', handle: saveBranding },
  // Reloading the answer by its address, or changing its language, shows the form.
  { method: 'get', path: `${path}/preview`, access: 'viewer', handle: showBranding },
  { method: 'post', path: `${path}/preview`, access: 'manager', handle: previewBranding },
];

function showBrandingForm(tenant: TenantRecord, form: FormState, status = 200): Reply {
  const preview = describeBranding(form, tenant);
  return makePage('tenant-branding', { tenant, form, preview, maxTitle: MAX_TITLE }, { status });
}

async function showBranding({ param }: SignedInContext, { tenants }: AdminDeps): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  return showBrandingForm(tenant, fillBrandingForm(tenant));
}

async function saveBranding(context: SignedInContext, { languages, tenants }: AdminDeps): Promise<Reply> {
  const { param, form, t, actor } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const read = readForm(form, { schema: brandingForm, t });
  if ('state' in read) return showBrandingForm(tenant, read.state, 422);
  const { version, name, ...branding } = read.data;
  try {
    await tenants.changeTenant(actor, tenant.id, { version, name, branding });
    return makeRedirect(`/tenants/${tenant.id}/branding`, 'branding-saved');
  } catch (error) {
    const now = await tenants.getTenant(tenant.id);
    return showBrandingForm(now, refuseFormChange(error, { form, t, languages, now }), 422);
  }
}

async function previewBranding({ param, form, t }: SignedInContext, { tenants }: AdminDeps): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  const read = readForm(form, { schema: brandingForm, t });
  const state = 'state' in read ? read.state : keepTyped(form);
  const status = 'state' in read ? 422 : 200;
  if (form.has('fragment'))
    return makePage('partials/branding-preview', { preview: describeBranding(state, tenant) }, { status: 200 });
  return showBrandingForm(tenant, state, status);
}

function fillBrandingForm({ name, version, branding }: TenantRecord): FormState {
  const { title, accent } = branding;
  return fillForm({ version: String(version), name, title: title ?? '', accent: accent ?? '' });
}

/** Previews the branding as the tenant's pages would show it, with warnings about the colour. */
function describeBranding({ values, problems }: FormState, tenant: TenantRecord) {
  const accent: Branding['accent'] = readColour(values.accent ?? '');
  const title = values.title?.trim() || values.name?.trim() || tenant.name;
  if (accent === null) return { title, accent, problem: problems.accent };
  const text = pickTextColour(accent);
  return {
    title,
    accent,
    text,
    onWhite: measureColourContrast(accent, WHITE),
    onBlack: measureColourContrast(accent, BLACK),
    /** The pages, light or dark, on which the colour hardly stands out. */
    faintOn: (['light', 'dark'] as const).filter(
      (scheme) => measureColourContrast(accent, GROUNDS[scheme]) < MIN_EDGE_CONTRAST,
    ),
  };
}

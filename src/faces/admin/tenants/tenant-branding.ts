import { z } from 'zod';
import { BLACK, measureColourContrast, pickTextColour, readColour, WHITE } from '#domain/colour';
import type { PictureLinks } from '#domain/picture';
import type { Branding } from '#domain/tenant';
import type { TenantRecord } from '#ports/store/store';
import type { AdminDeps } from '../deps.ts';
import {
  type FormState,
  fillForm,
  keepTyped,
  nameField,
  optionalField,
  readForm,
  submitChange,
  versionField,
} from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';

const MAX_TITLE = 100;
const MAX_LOGO = 2_000;
/** Minimum contrast with the page. Below it, the page only warns, as WCAG requires no edges. */
const MIN_EDGE_CONTRAST = 1.5;
/** Background colours of light and dark pages, as in `base.css`. */
const GROUNDS = { light: '#f6f8f8', dark: '#101617' } as const;

const brandingForm = z.object({
  version: versionField,
  name: nameField,
  title: optionalField(nameField),
  logo: optionalField(
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

const path = '/tenants/:tenantId/branding';

export const tenantBrandingRoutes = [
  get(path, 'viewer', showBranding),
  post(path, 'manager', saveBranding),
  // Reloading the answer by its address, or changing its language, shows the form.
  get(`${path}/preview`, 'viewer', showBranding),
  post(`${path}/preview`, 'manager', previewBranding),
];

function showBrandingForm({ pictures }: AdminDeps, tenant: TenantRecord, form: FormState): PageReply {
  const preview = describeBranding(form, tenant, pictures);
  return makePage('tenant-branding', { tenant, form, preview, maxTitle: MAX_TITLE });
}

async function showBranding(context: SignedInContext): Promise<Reply> {
  const tenant = await context.tenants.getTenant(context.param('tenantId'));
  return showBrandingForm(context, tenant, fillBrandingForm(tenant));
}

function saveBranding(context: SignedInContext): Promise<Reply> {
  const { tenants, param, actor } = context;
  return submitChange(context, {
    schema: brandingForm,
    load: () => tenants.getTenant(param('tenantId')),
    versionOf: ({ version }) => version,
    show: (tenant, form) => showBrandingForm(context, tenant, form),
    async save({ version, name, logo, ...colours }, { id }) {
      const branding = { ...colours, ...(logo !== null && { logo }) };
      await tenants.changeTenant(actor, id, { version, name, branding });
      return makeRedirect(`/tenants/${id}/branding`, 'branding-saved');
    },
  });
}

async function previewBranding(context: SignedInContext): Promise<Reply> {
  const { param, form, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const read = readForm(context, brandingForm);
  const state = 'state' in read ? read.state : keepTyped(form);
  if (form.has('fragment'))
    return makePage('partials/branding-preview', { preview: describeBranding(state, tenant, context.pictures) });
  return { ...showBrandingForm(context, tenant, state), status: 'state' in read ? 422 : 200 };
}

function fillBrandingForm({ name, version, branding }: TenantRecord): FormState {
  const { title, accent, logo } = branding;
  return fillForm({ version: String(version), name, title: title ?? '', accent: accent ?? '', logo: logo ?? '' });
}

/** Previews the branding as the tenant's pages would show it, with warnings about the colour. */
function describeBranding({ values, problems }: FormState, tenant: TenantRecord, pictures: PictureLinks) {
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
      (scheme) => measureColourContrast(accent, GROUNDS[scheme]) < MIN_EDGE_CONTRAST,
    ),
  };
}

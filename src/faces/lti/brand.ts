import type { RequestHandler } from 'express';
import { pickTextColour, readColour, toReadableColour } from '#domain/colour';
import { AppError } from '#errors';
import type { TenantRecord } from '#ports/store/store';

/** How the pages of a tenant look. */
export interface Brand {
  /** Null where the tenant has no name of its own. */
  readonly title: string | null;
  /** Address of the style sheet of the tenant's colour. */
  readonly styles: string | null;
}

export function toBrand(tenant: TenantRecord | null): Brand {
  const { title = null, accent = null } = tenant?.branding ?? {};
  return { title, styles: accent === null ? null : `/lti/brand/${accent.slice(1)}.css` };
}

/** `--tint` of `views/assets/base.css`, the ground on which a colour is hardest to read: a colour
 *  that is readable there is readable on the others as well. */
const GROUNDS = { light: '#e1f0ef', dark: '#1f3635' } as const;

/** A colour as a style sheet, since pages may have no inline styles. It does not tell whose colour
 *  it is. */
export const sendBrandStyles: RequestHandler = ({ params }, response) => {
  const [, name = ''] = /^([0-9a-f]{6})\.css$/.exec(String(params.colour)) ?? [];
  const accent = readColour(name);
  if (accent === null) throw new AppError('PATH_UNKNOWN', 'No style sheet has this address.');
  const [light, dark] = [toReadableColour(accent, GROUNDS.light), toReadableColour(accent, GROUNDS.dark)];
  response
    .set('Cache-Control', 'public, max-age=86400')
    .type('css')
    .send(`:root {
  --accent: light-dark(${light}, ${dark});
  --on-accent: light-dark(${pickTextColour(light)}, ${pickTextColour(dark)});
}
`);
};

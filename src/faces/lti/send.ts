import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestHandler, Response } from 'express';
import { pickTextColour, readColour, toReadableColour } from '#domain/colour';
import type { Launch } from '#domain/lti/launch';
import { AppError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import { writeJsonLines } from '../downloads.ts';
import { setPageHeaders } from '../page-headers.ts';
import { views } from '../views.ts';
import type { LtiFaceDeps } from './deps.ts';
import { anyFramer, listFrameAncestors } from './frame.ts';
import type { LtiContext, LtiPageReply, LtiReply } from './route.ts';

export interface AnsweredRequest {
  readonly reply: LtiReply;
  readonly context: LtiContext & { readonly token?: string };
  readonly launch: Launch | null;
}

export async function sendLtiReply(
  { tenants }: Pick<LtiFaceDeps, 'tenants'>,
  answered: AnsweredRequest,
  response: Response,
): Promise<void> {
  const { reply, context, launch } = answered;
  switch (reply.kind) {
    case 'page': {
      const tenant = launch === null ? null : await tenants.findTenant(launch.tenantId);
      return sendLtiPage(reply, toLtiBrand(tenant, context), answered, response);
    }
    case 'redirect':
      for (const cookie of reply.cookies ?? []) response.append('Set-Cookie', cookie);
      return void response.status(303).set({ 'Cache-Control': 'no-store', Location: reply.to }).end();
    case 'fragment':
      response.set('Cache-Control', 'no-store').type('html');
      return void response.send(views.render(`lti/${reply.view}`, { ...toViewHelpers(context), ...reply.model }));
    case 'json':
      response.set('Cache-Control', reply.maxAgeSeconds ? `public, max-age=${reply.maxAgeSeconds}` : 'no-store');
      return void response.json(reply.body);
    case 'download':
      response.attachment(reply.name).type(reply.type).set('Cache-Control', 'no-store');
      return pipeline(Readable.from(reply.lines), response);
    case 'stream':
      // Compression would delay the lines.
      response.set('Cache-Control', 'no-store, no-transform').type('application/x-ndjson');
      return pipeline(Readable.from(writeJsonLines(reply.lines)), response);
  }
}

function sendLtiPage(
  reply: LtiPageReply,
  brand: ReturnType<typeof toLtiBrand>,
  { context, launch }: AnsweredRequest,
  response: Response,
): void {
  const { frameAncestors, frames = [], formTo, cookies = [] } = reply;
  setPageHeaders(response, {
    frameAncestors: frameAncestors ?? (launch === null ? anyFramer : listFrameAncestors(launch)),
    frames,
    formsTo: formTo === undefined ? [] : [formTo],
  });
  for (const cookie of cookies) response.append('Set-Cookie', cookie);
  const model = { ...toViewHelpers(context), launch, token: context.token ?? null, brand, ...reply.model };
  const html = views.render(`lti/${reply.view}`, model);
  // `send` would compute an ETag for a page that is never requested again.
  response
    .status(reply.status ?? 200)
    .type('html')
    .end(html);
}

const toViewHelpers = ({ t, locale }: LtiContext) => ({
  t,
  locale,
  number: (value: number) => value.toLocaleString(locale),
});

/** Returns the branding of a tenant; `styles` is the address of a style sheet with its colour. */
function toLtiBrand(tenant: TenantRecord | null, { pictures }: LtiContext) {
  const { title = null, accent = null, logo = null } = tenant?.branding ?? {};
  const link = logo === null ? null : pictures.linkTo(logo);
  return { title, logo: link?.small ?? null, styles: accent === null ? null : `/lti/brand/${accent.slice(1)}.css` };
}

/** The backgrounds `--tint` of `views/assets/base.css`, on which text has the least contrast. */
const BACKGROUNDS = { light: '#e1f0ef', dark: '#1f3635' } as const;

/** Sends the style sheet of a colour, as pages may not have inline styles. */
export const sendBrandStyles: RequestHandler = ({ params }, response) => {
  const [, name = ''] = /^([0-9a-f]{6})\.css$/.exec(String(params.colour)) ?? [];
  const accent = readColour(name);
  if (accent === null) throw new AppError('PATH_UNKNOWN', 'No style sheet has this address.');
  const light = toReadableColour(accent, BACKGROUNDS.light);
  const dark = toReadableColour(accent, BACKGROUNDS.dark);
  response
    .set('Cache-Control', 'public, max-age=86400')
    .type('css')
    .send(`:root {
  --accent: light-dark(${light}, ${dark});
  --on-accent: light-dark(${pickTextColour(light)}, ${pickTextColour(dark)});
}
`);
};

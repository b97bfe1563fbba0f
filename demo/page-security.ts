import type { RequestHandler } from 'express';
import { AppError } from '../src/errors.ts';
import { setPageHeaders } from '../src/faces/page-headers.ts';

interface SecurityOptions {
  /** Address of the course site. */
  readonly browserUrl: string;
  /** Where the tool is. */
  readonly publicUrl: string;
}

/** The course shows the tool in frames and sends browsers there by forms. */
export function demoHeaders({ publicUrl }: SecurityOptions): RequestHandler {
  const { origin } = new URL(publicUrl);
  return (_request, response, next) => {
    setPageHeaders(response, { frames: [origin], formsTo: [origin] });
    next();
  };
}

/** Leads to the name under which the course is another site than the tool. */
export function leadToOtherName({ browserUrl, publicUrl }: SecurityOptions): RequestHandler {
  const { host, origin } = new URL(browserUrl);
  const hasOtherName = origin !== new URL(publicUrl).origin;
  return (request, response, next) => {
    const isElsewhere = hasOtherName && request.get('host') !== host;
    if (!isElsewhere || request.method !== 'GET') next();
    else response.redirect(origin + request.originalUrl);
  };
}

/** Forms are sent by the course's own pages only. Browsers say with every such request where it comes from. */
export function onlyOwnForms({ browserUrl }: SecurityOptions): RequestHandler {
  const { origin } = new URL(browserUrl);
  return (request, _response, next) => {
    if (request.method !== 'POST' || request.get('origin') === origin) return next();
    throw new AppError(
      'FORM_EXPIRED',
      'The demo course takes forms of its own pages only. Open the course again, and repeat what you did there.',
    );
  };
}

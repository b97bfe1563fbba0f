import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { RequestCount } from '#services/tenants/api-access';

interface PageReach {
  /** Sources that may frame the page, besides this host. */
  readonly frameAncestors?: readonly string[];
  readonly frames?: readonly string[];
  /** Sources that forms of the page are sent to, besides this host. */
  readonly formsTo?: readonly string[];
}

/** Forbids all but a given reach. COOP or CORP would cut off platforms' pop-ups and thumbnails. */
export function setPageHeaders(response: Response, reach: PageReach): void {
  const { frameAncestors = [], frames = [], formsTo = [] } = reach;
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action ${["'self'", ...formsTo].join(' ')}`,
    `frame-src ${["'self'", ...frames].join(' ')}`,
    `frame-ancestors ${["'self'", ...frameAncestors].join(' ')}`,
    "base-uri 'none'",
  ];
  response.removeHeader('X-Frame-Options');
  response.removeHeader('Cross-Origin-Opener-Policy');
  response.removeHeader('Cross-Origin-Resource-Policy');
  response.removeHeader('Origin-Agent-Cluster');
  response.set({
    'Content-Security-Policy': directives.join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
}

export function setLimitHeaders(response: ServerResponse, { limit, remaining, resetSeconds }: RequestCount): void {
  response.setHeader('RateLimit-Limit', `${limit}`);
  response.setHeader('RateLimit-Remaining', `${remaining}`);
  response.setHeader('RateLimit-Reset', `${resetSeconds}`);
}

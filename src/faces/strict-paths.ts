import { type Request, type RequestHandler, Router } from 'express';

/** Creates a router with exact paths, so that the rule of a proxy for a path covers its page. */
export const createStrictRouter = (): Router => Router({ caseSensitive: true, strict: true });

/** The beginning of paths that people type: a section with its pages, or a single page. */
const TYPED_PATH = /^\/(?:(?:admin|demo|lti|slack)(?=\/|$)|(?:docs|tags)(?=\/?$))/i;

/** Redirects typed paths to the exact path, to which the rules of proxies apply. */
export const redirectToStrictPath: RequestHandler = (request, response, next) => {
  const { path, url } = request;
  const [first = ''] = TYPED_PATH.exec(path) ?? [];
  const exact = first.toLowerCase() + path.slice(first.length).replace(/\/$/, '');
  if (first === '' || exact === path) return next();
  const query = url.indexOf('?');
  response.redirect(308, query < 0 ? exact : exact + url.slice(query));
};

/** Reduces an absolute request target, as some clients send it (RFC 9112, 3.2.2), to its path. */
export const dropOrigin: RequestHandler = (request, _response, next) => {
  const [origin = ''] = /^https?:\/\/[^/?]*/i.exec(request.url) ?? [];
  if (origin !== '') request.url = request.originalUrl = request.url.slice(origin.length).replace(/^(?!\/)/, '/');
  next();
};

/** Reads the query of a request as it was sent, also below the mount point of a router. */
export const readStrictQuery = ({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams =>
  new URLSearchParams(readRawQuery(originalUrl));

/** Returns the undecoded text after the `?`; empty if there is none. */
export const readRawQuery = (address: string): string => {
  const start = address.indexOf('?');
  return start < 0 ? '' : address.slice(start + 1);
};

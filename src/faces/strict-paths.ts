import { type Request, type RequestHandler, Router } from 'express';

/** Matches paths exactly, in case and trailing slash: a proxy's rule for a path covers its page. */
export const createStrictRouter = (): Router => Router({ caseSensitive: true, strict: true });

/** First parts of paths that people type: of a section with its pages, or of a single page. */
const TYPED_PATH = /^\/(?:(?:admin|demo|lti|slack)(?=\/|$)|(?:docs|tags)(?=\/?$))/i;

/** Redirects to the exact path: rules of proxies apply to exact paths. */
export const redirectToStrictPath: RequestHandler = (request, response, next) => {
  const { path, url } = request;
  const [first = ''] = TYPED_PATH.exec(path) ?? [];
  const exact = first.toLowerCase() + path.slice(first.length).replace(/\/$/, '');
  if (first === '' || exact === path) return next();
  const query = url.indexOf('?');
  response.redirect(308, query < 0 ? exact : exact + url.slice(query));
};

/** Some clients write the whole address (RFC 9112, 3.2.2), where all else expects a path. */
export const dropOrigin: RequestHandler = (request, _response, next) => {
  const [origin = ''] = /^https?:\/\/[^/?]*/i.exec(request.url) ?? [];
  if (origin !== '') request.url = request.originalUrl = request.url.slice(origin.length).replace(/^(?!\/)/, '/');
  next();
};

/** The query of a request as it was sent, also below the mount point of a router. */
export const readStrictQuery = ({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams =>
  new URLSearchParams(readRawQuery(originalUrl));

/** After the `?`, undecoded; empty if there is none. */
export const readRawQuery = (address: string): string => {
  const start = address.indexOf('?');
  return start < 0 ? '' : address.slice(start + 1);
};

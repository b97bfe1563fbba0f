import { type RequestHandler, Router } from 'express';

/** Creates a router that matches paths exactly: a path in another case or with a trailing slash is
 *  not found. So a rule of a proxy for a path applies to every request for its page. */
export function createStrictRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

/** First parts of paths that people type: of a section with its pages, or of a single page. */
const TYPED_PATH = /^\/(?:(?:admin|demo|lti|slack)(?=\/|$)|(?:docs|tags)(?=\/?$))/i;

/** Redirects a typed path with a trailing slash, or with capitals in its first word, to the exact
 *  path, so that the rules of a proxy for the exact path apply to the request. */
export const redirectTypedPath: RequestHandler = (request, response, next) => {
  const { path, url } = request;
  const [first = ''] = TYPED_PATH.exec(path) ?? [];
  const exact = first.toLowerCase() + path.slice(first.length).replace(/\/$/, '');
  if (first === '' || exact === path) return next();
  const query = url.indexOf('?');
  response.redirect(308, query < 0 ? exact : exact + url.slice(query));
};

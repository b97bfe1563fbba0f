import { type RequestHandler, Router } from 'express';

/** A router whose addresses are exact: in another case or with a slash at the end they are unknown.
 *  A rule that a proxy in front of the host has for an address holds for all that is served there
 *  then. */
export function createStrictRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

/** Pages that people type from memory, some with those below. */
const TYPED = /^\/(?:(?:admin|demo|lti|slack)(?=\/|$)|(?:docs|tags)(?=\/?$))/i;

/** Sends people who typed an address of a page with a slash at its end, or its first word in
 *  capitals, to the page: what a proxy says of that address holds for them, too. */
export const redirectTypedPath: RequestHandler = (request, response, next) => {
  const { path, url } = request;
  const [first = ''] = TYPED.exec(path) ?? [];
  const exact = first.toLowerCase() + path.slice(first.length).replace(/\/$/, '');
  if (first === '' || exact === path) return next();
  const query = url.indexOf('?');
  response.redirect(308, query < 0 ? exact : exact + url.slice(query));
};

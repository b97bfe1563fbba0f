/** Binds a login to its browser, so that nobody can lead others into a launch. The login stores
 *  the hash of a secret and gives the secret to the browser: as a cookie, and to a script for
 *  browsers that block cookies of frames. The launch must have it: in the cookie, or in a form.
 *  https://www.imsglobal.org/spec/lti-cs-oidc/v0p1/ */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { findCookieValue } from '#faces/cookies';

const BINDING_BYTES = 32;
const LIFETIME_SECONDS = 600;

export const createBinding = (): string => randomBytes(BINDING_BYTES).toString('base64url');
export const hashBinding = (binding: string): string => createHash('sha256').update(binding).digest('hex');

export const isBinding = (binding: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashBinding(binding)), Buffer.from(hash));

/** Creates one cookie for each login, as a browser may have several. Frames of other sites get
 *  only `Partitioned` cookies. On http://localhost a plain cookie is added, as some browsers refuse
 *  secure ones there. */
export function createBindingCookies(publicUrl: string) {
  const isHttps = publicUrl.startsWith('https:');
  const nameCookie = (state: string) => `${isHttps ? '__Host-' : ''}skilldock_login_${state.slice(0, 16)}`;
  const namePlainCookie = (state: string) => `skilldock_login_plain_${state.slice(0, 16)}`;
  const write = (state: string, value: string, seconds: number) => {
    const suffix = `=${value}; Path=/; Max-Age=${seconds}; HttpOnly`;
    const secure = `${nameCookie(state)}${suffix}; Secure; SameSite=None; Partitioned`;
    return isHttps ? [secure] : [secure, `${namePlainCookie(state)}${suffix}`];
  };
  return {
    keep: (state: string, binding: string) => write(state, binding, LIFETIME_SECONDS),
    remove: (state: string) => write(state, '', 0),
    read(request: Request, state: string) {
      const cookies = request.get('cookie') ?? '';
      const plain = isHttps ? undefined : findCookieValue(cookies, namePlainCookie(state));
      return findCookieValue(cookies, nameCookie(state)) ?? plain;
    },
  };
}

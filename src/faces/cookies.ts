import type { Request, Response } from 'express';
import { chooseLocale, type Locale } from './words/i18n.ts';

/** Cookies of this host; on https with the `__Host-` prefix, so that no other host can set them. */
export interface Cookies<Name extends string> {
  read(request: Request, name: Name): string | undefined;
  change(response: Response, change: SetCookie<Name>): void;
  /** Returns the value of a header `Set-Cookie`. */
  write(change: SetCookie<Name>): string;
}

export interface SetCookie<Name extends string> {
  readonly name: Name;
  readonly value: string | null;
  /** Absent for a cookie that ends with the browser's session. */
  readonly expiresAt?: Date;
}

export function createCookies<Name extends string>(publicUrl: string): Cookies<Name> {
  const isSecure = publicUrl.startsWith('https:');
  const fullName = (name: Name) => `${isSecure ? '__Host-' : ''}skilldock_${name}`;
  const writeCookie = ({ name, value, expiresAt }: SetCookie<Name>) => {
    const end = value === null ? new Date(0) : expiresAt;
    const expires = end === undefined ? '' : `; Expires=${end.toUTCString()}`;
    return `${fullName(name)}=${value ?? ''}; Path=/${expires}; HttpOnly${isSecure ? '; Secure' : ''}; SameSite=Lax`;
  };
  return {
    read: (request, name) => findCookieValue(request.get('cookie') ?? '', fullName(name)),
    change: (response, change) => void response.append('Set-Cookie', writeCookie(change)),
    write: writeCookie,
  };
}

/** Finds a value in a header `Cookie`; undefined also if no cookie of this host has its form. */
export function findCookieValue(header: string, name: string): string | undefined {
  const pair = header.split(';').find((part) => part.trim().startsWith(`${name}=`));
  const value = pair?.slice(pair.indexOf('=') + 1).trim();
  return value !== undefined && /^[\w.~-]{1,1000}$/.test(value) ? value : undefined;
}

/** Tells whether a request comes from a page of this host, or from none, as far as the browser
 *  states it. A form of another site could otherwise set cookies of this host. */
export function isSentByThisHost(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** Like `isSentByThisHost`, for forms without a token: on http, browsers state only the origin. */
export function isSentByThisOrigin(request: Request, publicUrl: string): boolean {
  const origin = request.get('origin');
  if (request.get('sec-fetch-site') !== undefined || origin === undefined) return isSentByThisHost(request);
  // Without PUBLIC_URL, people reach the host by any of its names.
  const isHostReached = URL.canParse(origin) && new URL(origin).host === request.get('host');
  return isHostReached || origin === publicUrl;
}

/** Stores for a year the language that was chosen on any page of this host. */
export const languageCookie = (locale: Locale, now: Date): SetCookie<'language'> => ({
  name: 'language',
  value: locale,
  expiresAt: new Date(now.getTime() + 365 * 86_400_000),
});

export function readCookieLocale(request: Request, cookies: Pick<Cookies<'language'>, 'read'>): Locale {
  return chooseLocale(cookies.read(request, 'language'), request.get('accept-language'));
}

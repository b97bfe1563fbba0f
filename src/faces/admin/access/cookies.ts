import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { CookieChange } from '../route.ts';

/** The cookies of the admin page. On https they carry the `__Host-` prefix, so that no other host can set them. */
export interface Cookies {
  read(request: Request, name: CookieName): string | undefined;
  change(response: Response, change: Omit<CookieChange, 'name'> & { readonly name: CookieName }): void;
}

/** `form` stands for a session where nobody is signed in yet. */
type CookieName = CookieChange['name'] | 'form';

export function createCookies(publicUrl: string): Cookies {
  const isSecure = publicUrl.startsWith('https:');
  const fullName = (name: CookieName) => `${isSecure ? '__Host-' : ''}skilldock_${name}`;
  return {
    read: (request, name) => findValue(request.get('cookie') ?? '', fullName(name)),
    change(response, { name, value, expiresAt }) {
      response.cookie(fullName(name), value ?? '', {
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure,
        path: '/',
        ...(value === null ? { expires: new Date(0) } : expiresAt !== undefined && { expires: expiresAt }),
      });
    },
  };
}

/** Text that our own page can put into a form and another site cannot know: it is derived from a cookie. */
export function csrfTokenOf(cookieValue: string): string {
  return createHmac('sha256', cookieValue).update('skilldock csrf').digest('base64url');
}

export const newCookieValue = () => randomBytes(32).toString('base64url');

function findValue(header: string, name: string): string | undefined {
  const pair = header.split(';').find((part) => part.trim().startsWith(`${name}=`));
  const value = pair?.slice(pair.indexOf('=') + 1).trim();
  return value !== undefined && /^[\w.~-]{1,500}$/.test(value) ? value : undefined;
}

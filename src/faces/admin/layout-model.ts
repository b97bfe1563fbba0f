import type { Request } from 'express';
import { type AdminRole, isAdminRoleAtLeast } from '#domain/admin';
import { locales } from '../words/i18n.ts';
import type { PageContext } from './route.ts';

/** The pages of the menu, with the least role that sees them. */
const menu: readonly (readonly [name: string, path: string, role: AdminRole])[] = [
  ['overview', '', 'viewer'],
  ['tenants', '/tenants', 'viewer'],
  ['keys', '/keys', 'viewer'],
  ['registrations', '/registrations', 'viewer'],
  ['workspaces', '/workspaces', 'viewer'],
  ['assistants', '/assistants', 'viewer'],
  ['feedback', '/feedback', 'viewer'],
  ['catalogue', '/catalogue', 'viewer'],
  ['imports', '/imports', 'viewer'],
  ['insight', '/insight', 'viewer'],
  ['audit', '/audit', 'viewer'],
  ['admins', '/admins', 'owner'],
  ['system', '/system', 'owner'],
];

/** Creates the common model of admin pages: the menu, the person, the language, and a notice of the
 *  last action. */
export function createLayoutModel(context: PageContext) {
  const { signedIn, request, t, locale, csrf, publicUrl, oidc } = context;
  const role = signedIn?.admin.role;
  const here = findPlaceInMenu(request.originalUrl);
  return {
    t,
    locale,
    locales,
    csrf,
    publicUrl,
    oidcName: oidc?.name ?? null,
    signedIn,
    can: (least: AdminRole) => role !== undefined && isAdminRoleAtLeast(role, least),
    nav: menu
      .filter(([, , least]) => role !== undefined && isAdminRoleAtLeast(role, least))
      .map(([name, path]) => ({
        label: t(`nav.${name}`),
        href: `/admin${path}`,
        isCurrent: path === '' ? here === '' || here === '/' : here.startsWith(path),
      })),
    notice: readNotice(context),
    here: findWayBack(request),
    date: (at: Date | null) => (at === null ? '' : getDateFormats(locale).day.format(at)),
    dateTime: (at: Date | null) => (at === null ? '' : getDateFormats(locale).time.format(at)),
    number: (value: number) => value.toLocaleString(locale),
  };
}

/** Reads the notice of the last action from the address; null if the catalogues do not have it. */
function readNotice({ query, t, languages }: PageContext): string | null {
  const [name, counted] = [query.get('notice') ?? '', query.get('count') ?? ''];
  const values = /^\d{1,9}$/.test(counted) ? { count: Number(counted) } : {};
  const key = `notices.${name}`;
  return /^[\w-]+$/.test(name) && languages.has(key, values) ? t(key, values) : null;
}

/** Where to show this page in another language: a form that was sent has no page of its own, so the
 *  one it came from. */
function findWayBack(request: Request): string {
  if (request.method === 'GET') return request.originalUrl;
  const from = request.get('referer') ?? '';
  if (!URL.canParse(from)) return '/admin';
  const { pathname, search } = new URL(from);
  return pathname + search;
}

/** The keys, the platforms, the workspaces, the objects and broken links of a tenant are below its
 *  address, and below other entries of the menu. */
function findPlaceInMenu(address: string): string {
  const path = address.replace(/\?.*$/s, '').replace(/^\/admin/, '');
  return path
    .replace(/^\/tenants\/[^/]+(?=\/(?:keys|registrations|workspaces|assistants)(?:\/|$))/, '')
    .replace(/^\/tenants\/[^/]+\/(?:links|objects)(?=\/|$)/, '/catalogue');
}

/** By language; making one takes longer than the rest of a page. */
const dateFormats = new Map<string, Record<'day' | 'time', Intl.DateTimeFormat>>();

function getDateFormats(locale: string): Record<'day' | 'time', Intl.DateTimeFormat> {
  const style = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  const formats = dateFormats.get(locale) ?? {
    day: new Intl.DateTimeFormat(locale, style),
    time: new Intl.DateTimeFormat(locale, { ...style, timeStyle: 'short' }),
  };
  dateFormats.set(locale, formats);
  return formats;
}

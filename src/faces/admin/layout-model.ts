import type { Request } from 'express';
import { type AdminRole, isAdminRoleAtLeast } from '#domain/admin';
import { locales } from '../words/i18n.ts';
import { mayAccessRoute } from './access.ts';
import { type PageContext, readNextAdminPage } from './route.ts';
import { readTenantChoices, type TenantChoice } from './tenants/tenant-lists.ts';

interface MenuEntry {
  readonly name: string;
  readonly path: string;
  readonly icon: string;
  /** The least role that sees it; viewers when absent. */
  readonly role?: AdminRole;
}

/** The entries of the menu by the name of their group. */
const menu: Readonly<Record<string, readonly MenuEntry[]>> = {
  use: [
    { name: 'overview', path: '', icon: 'house' },
    { name: 'insight', path: '/insight', icon: 'chart-line' },
    { name: 'feedback', path: '/feedback', icon: 'message-circle' },
  ],
  content: [
    { name: 'catalogue', path: '/catalogue', icon: 'library' },
    { name: 'objects', path: '/catalogue/objects', icon: 'file-text' },
    { name: 'links', path: '/catalogue/links', icon: 'link' },
    { name: 'imports', path: '/imports', icon: 'upload' },
  ],
  connections: [
    { name: 'registrations', path: '/registrations', icon: 'graduation-cap' },
    { name: 'workspaces', path: '/workspaces', icon: 'send' },
    { name: 'assistants', path: '/assistants', icon: 'sparkles' },
    { name: 'keys', path: '/keys', icon: 'key' },
  ],
  host: [
    { name: 'tenants', path: '/tenants', icon: 'building-2' },
    { name: 'admins', path: '/admins', icon: 'users', role: 'auditor' },
    { name: 'people', path: '/people', icon: 'user', role: 'manager' },
    { name: 'audit', path: '/audit', icon: 'history' },
    { name: 'system', path: '/system', icon: 'server', role: 'auditor' },
  ],
};

type TenantSwitch = { readonly chosen: string; readonly choices: readonly TenantChoice[] };

export async function readTenantSwitch({ signedIn, tenants, params, query }: PageContext): Promise<TenantSwitch> {
  if (signedIn === null) return { chosen: '', choices: [] };
  const choices = await readTenantChoices(tenants, signedIn.admin.tenants);
  const tenantId = params.tenantId ?? query.get('tenant') ?? '';
  return { chosen: choices.some(({ id }) => id === tenantId) ? tenantId : '', choices };
}

/** Finds the same page for another tenant; for all tenants (an empty id), the list of tenants. */
export function findPageOfTenant(next: string, id: string): string {
  const { pathname, searchParams } = new URL(readNextAdminPage(next), 'http://admin.invalid');
  const [, part] = /^\/admin\/tenants\/[^/]+(\/.*)?$/.exec(pathname) ?? [];
  searchParams.delete('tenant');
  searchParams.delete('page');
  searchParams.delete('notice');
  const pathOfTenant = id === '' ? '/admin/tenants' : `/admin/tenants/${id}${part}`;
  const path = part === undefined ? pathname : pathOfTenant;
  const query = searchParams.toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Makes what the layout shows, and functions that write values in the page's language. */
export function createLayoutModel(context: PageContext, tenantSwitch: TenantSwitch = { chosen: '', choices: [] }) {
  const { signedIn, request, t, locale, csrf, publicUrl, oidc } = context;
  const role = signedIn?.admin.role;
  const current = findMenuEntry(request.originalUrl);
  return {
    t,
    locale,
    locales,
    csrf,
    publicUrl,
    oidcName: oidc?.name ?? null,
    signedIn,
    can: (least: AdminRole) => role !== undefined && isAdminRoleAtLeast(role, least),
    tenantSwitch,
    nav: Object.entries(menu)
      .map(([name, entries]) => ({
        name: t(`nav.groups.${name}`),
        entries: entries
          .filter((entry) => signedIn !== null && mayAccessRoute(signedIn.admin, entry.role ?? 'viewer'))
          .map((entry) => ({
            label: t(`nav.${entry.name}`),
            icon: entry.icon,
            href: `/admin${entry.path}`,
            isCurrent: entry === current,
          })),
      }))
      .filter(({ entries }) => entries.length > 0),
    notice: readNotice(context),
    here: findWayBack(request),
    date: (at: Date | null) => (at === null ? '' : getDateFormats(locale).day.format(at)),
    dateTime: (at: Date | null) => (at === null ? '' : getDateFormats(locale).time.format(at)),
    time: (at: Date | null) => (at === null ? '' : writeTime(at, getDateFormats(locale).time.format(at))),
    ago: (at: Date | null) => (at === null ? '' : describeAge(at, context.clock.now(), locale)),
    number: (value: number) => value.toLocaleString(locale),
    browser: nameBrowser,
  };
}

/** Signs of browsers in a User-Agent. An earlier browser's text also has the sign of later ones. */
const browsers = { Edge: /Edg/, Opera: /OPR/, Firefox: /Firefox|FxiOS/, Chrome: /Chrom|CriOS/, Safari: /Safari/ };
const systems = { Android: /Android/, iOS: /iPhone|iPad/, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ };

/** Names the browser of a User-Agent, which stays as it is if it names none.
 *  @example nameBrowser('Mozilla/5.0 (Windows NT 10.0) Firefox/140.0') // 'Firefox, Windows' */
function nameBrowser(userAgent: string): string {
  const findName = (signs: Readonly<Record<string, RegExp>>) =>
    Object.keys(signs).find((name) => signs[name]?.test(userAgent));
  const browser = findName(browsers);
  const system = findName(systems);
  if (browser === undefined) return userAgent;
  return system === undefined ? browser : `${browser}, ${system}`;
}

/** Reads the notice of the last action from the address; null if the catalogues do not have it. */
function readNotice({ query, t, languages }: PageContext): string | null {
  const name = query.get('notice') ?? '';
  const counted = query.get('count') ?? '';
  const values = /^\d{1,9}$/.test(counted) ? { count: Number(counted) } : {};
  const key = `notices.${name}`;
  return /^[\w-]+$/.test(name) && languages.has(key, values) ? t(key, values) : null;
}

/** Finds the address to come back to after a change of the language, for a form its page. */
function findWayBack(request: Request): string {
  if (request.method === 'GET') return request.originalUrl;
  const from = request.get('referer') ?? '';
  if (!URL.canParse(from)) return '/admin';
  const { pathname, search } = new URL(from);
  return pathname + search;
}

/** Finds the current entry, which for a tenant's keys, objects and so on is theirs. */
function findMenuEntry(address: string): MenuEntry | undefined {
  const path = address
    .replace(/\?.*$/s, '')
    .replace(/^\/admin\/?/, '/')
    .replace(/^\/tenants\/[^/]+(?=\/(?:keys|registrations|workspaces|assistants)(?:\/|$))/, '')
    .replace(/^\/tenants\/[^/]+(?=\/(?:links|objects)(?:\/|$))/, '/catalogue');
  const isWithin = (entry: MenuEntry) =>
    entry.path === '' ? path === '/' : path === entry.path || path.startsWith(`${entry.path}/`);
  const entries = Object.values(menu).flat().filter(isWithin);
  return entries.sort((a, b) => b.path.length - a.path.length)[0];
}

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const RECENT_DAYS = 30;

/** Writes an age as markup with the exact time; the day itself after more than a month. */
function describeAge(at: Date, now: Date, locale: string): string {
  const { ago, day, time } = getDateFormats(locale);
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  const [unit, length] = STEPS.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? ['minute', 60];
  const isRecent = Math.abs(seconds) < RECENT_DAYS * 86_400;
  const text = isRecent ? ago.format(Math.trunc(seconds / length), unit) : day.format(at);
  return writeTime(at, text, `${time.format(at)} UTC`);
}

/** Writes a time as markup, to whose title a script adds the reader's local time. */
const writeTime = (at: Date, text: string, title = ''): string =>
  `<time datetime="${at.toISOString()}" title="${title}">${text}</time>`;

/** Formats by language: making one takes longer than the rest of a page. */
const dateFormats = new Map<string, ReturnType<typeof createDateFormats>>();

function getDateFormats(locale: string) {
  const formats = dateFormats.get(locale) ?? createDateFormats(locale);
  dateFormats.set(locale, formats);
  return formats;
}

function createDateFormats(locale: string) {
  const style = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  return {
    day: new Intl.DateTimeFormat(locale, style),
    time: new Intl.DateTimeFormat(locale, { ...style, timeStyle: 'short' }),
    ago: new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }),
  };
}

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

/** By the name of the group. */
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

export type TenantSwitch = { readonly chosen: string; readonly choices: readonly TenantChoice[] };

export async function readTenantSwitch({ signedIn, tenants, params, query }: PageContext): Promise<TenantSwitch> {
  if (signedIn === null) return { chosen: '', choices: [] };
  const choices = await readTenantChoices(tenants, signedIn.admin.tenants);
  const tenantId = params.tenantId ?? query.get('tenant') ?? '';
  return { chosen: choices.some(({ id }) => id === tenantId) ? tenantId : '', choices };
}

/** The same page for another tenant; all tenants (an empty id) have their list instead. */
export function findPageOfTenant(next: string, id: string): string {
  const { pathname, searchParams } = new URL(readNextAdminPage(next), 'http://admin.invalid');
  const [, part] = /^\/admin\/tenants\/[^/]+(\/.*)?$/.exec(pathname) ?? [];
  searchParams.delete('tenant');
  searchParams.delete('page');
  searchParams.delete('notice');
  const path =
    part === undefined ? pathname : id === '' ? '/admin/tenants' : pathname.replace(/(?<=tenants\/)[^/]+/, () => id);
  const query = searchParams.toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The menu, the person, the language, and a notice of the last action. */
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

/** In the order of the search: the texts of earlier ones also contain later ones. */
const browsers = { Edge: /Edg/, Opera: /OPR/, Firefox: /Firefox|FxiOS/, Chrome: /Chrom|CriOS/, Safari: /Safari/ };
const systems = { Android: /Android/, iOS: /iPhone|iPad/, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ };

/** `Firefox, Windows` for a User-Agent; the text itself if it names no browser. */
function nameBrowser(userAgent: string): string {
  const names = [browsers, systems].map((signs) => Object.entries(signs).find(([, sign]) => sign.test(userAgent))?.[0]);
  return names[0] === undefined ? userAgent : names.filter((name) => name !== undefined).join(', ');
}

/** Reads the notice of the last action from the address; null if the catalogues do not have it. */
function readNotice({ query, t, languages }: PageContext): string | null {
  const name = query.get('notice') ?? '';
  const counted = query.get('count') ?? '';
  const values = /^\d{1,9}$/.test(counted) ? { count: Number(counted) } : {};
  const key = `notices.${name}`;
  return /^[\w-]+$/.test(name) && languages.has(key, values) ? t(key, values) : null;
}

/** A sent form has no page, so another language leads to the page it came from. */
function findWayBack(request: Request): string {
  if (request.method === 'GET') return request.originalUrl;
  const from = request.get('referer') ?? '';
  if (!URL.canParse(from)) return '/admin';
  const { pathname, search } = new URL(from);
  return pathname + search;
}

/** What belongs to a tenant is below its address and below other entries of the menu. */
function findMenuEntry(address: string): MenuEntry | undefined {
  const path = address
    .replace(/\?.*$/s, '')
    .replace(/^\/admin\/?/, '/')
    .replace(/^\/tenants\/[^/]+(?=\/(?:keys|registrations|workspaces|assistants)(?:\/|$))/, '')
    .replace(/^\/tenants\/[^/]+(?=\/(?:links|objects)(?:\/|$))/, '/catalogue');
  const isWithin = (entry: MenuEntry) =>
    entry.path === '' ? path === '/' : path === entry.path || path.startsWith(`${entry.path}/`);
  const within = Object.values(menu).flatMap((entries) => entries.filter(isWithin));
  return within.toSorted((a, b) => b.path.length - a.path.length)[0];
}

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const RECENT_DAYS = 30;

/** Age as markup with the exact moment; the day itself after more than a month. */
function describeAge(at: Date, now: Date, locale: string): string {
  const { ago, day, time } = getDateFormats(locale);
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  const [unit, length] = STEPS.find(([, each]) => Math.abs(seconds) >= each) ?? ['minute', 60];
  const isRecent = Math.abs(seconds) < RECENT_DAYS * 86_400;
  const text = isRecent ? ago.format(Math.trunc(seconds / length), unit) : day.format(at);
  return writeTime(at, text, `${time.format(at)} UTC`);
}

/** A script adds the reader's local time to the title. */
const writeTime = (at: Date, text: string, title = ''): string =>
  `<time datetime="${at.toISOString()}" title="${title}">${text}</time>`;

/** By language; making one takes longer than the rest of a page. */
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

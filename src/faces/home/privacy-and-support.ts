import type { Request, Response } from 'express';
import { findNetworkOf } from '#domain/address-kinds';
import type { Actor } from '#domain/admin';
import { AppError } from '#errors';
import type { GivenIdentity } from '#services/people/person-data/person-data';
import { views } from '../views.ts';
import { type HomePages, type HomeRoute, readReader, sendPage } from './pages.ts';

/** Serves a person's data, what the host stores about people, and whom to ask for help. */
export const privacyRoutes: readonly HomeRoute[] = [
  { method: 'get', path: '/my-data', handle: showMyData },
  { method: 'post', path: '/my-data/export', handle: exportMyData },
  { method: 'post', path: '/my-data/erase', handle: eraseMyData },
  { method: 'get', path: '/privacy', handle: showPrivacy },
  { method: 'get', path: '/support', handle: showSupport },
  { method: 'get', path: '/.well-known/security.txt', handle: sendSecurityContact },
];

/** Sends a page for one person, which may not be stored. */
function sendMyData(request: Request, response: Response, pages: HomePages, model: object) {
  response.set({ 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' });
  const reader = { ...readReader(request, response, pages), here: '/privacy' };
  const html = views.render('my-data', { ...reader, data: null, isErased: false, problem: null, ...model });
  response.type('html').set('Cache-Control', 'no-store').send(html);
}

async function showMyData(request: Request, response: Response, pages: HomePages, problem: string | null = null) {
  const key = new URLSearchParams(request.originalUrl.split('?')[1]).get('key') ?? readMyDataField(request, 'key');
  const link = pages.personData.openDataLink(key);
  const data = link && (await pages.personData.readPersonData(await pages.personData.identifyPerson(link)));
  if (link === null) response.status(404);
  else if (problem !== null) response.status(422);
  sendMyData(request, response, pages, { data, key, problem });
}

async function exportMyData(request: Request, response: Response, pages: HomePages): Promise<void> {
  const link = pages.personData.openDataLink(readMyDataField(request, 'key'));
  if (link === null) return showMyData(request, response, pages);
  const identity = await pages.personData.identifyPerson(link);
  const data = await pages.personData.exportPerson(toMyDataActor(identity, request), identity);
  response.attachment('my-data.json').set('Cache-Control', 'no-store').json(data);
}

async function eraseMyData(request: Request, response: Response, pages: HomePages): Promise<void> {
  const link = pages.personData.openDataLink(readMyDataField(request, 'key'));
  const { t } = readReader(request, response, pages);
  if (link === null) return showMyData(request, response, pages);
  if (readMyDataField(request, 'word').trim() !== t('myData.word'))
    return showMyData(request, response, pages, t('myData.mistyped'));
  await pages.personData.erasePerson(toMyDataActor(link, request), await pages.personData.identifyPerson(link));
  sendMyData(request, response, pages, { isErased: true });
}

function readMyDataField({ body }: Request, name: string): string {
  const value = ((body ?? {}) as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}

function toMyDataActor({ accounts: [account = ''] }: GivenIdentity, { ip }: Request): Actor {
  const [, adminId] = /^admin:(.*)$/s.exec(account) ?? [];
  const common = { name: account, address: ip === undefined ? null : findNetworkOf(ip) };
  if (adminId !== undefined) return { kind: 'admin', id: adminId, ...common };
  return { kind: 'teacher', id: account, ...common };
}

async function showPrivacy(request: Request, response: Response, pages: HomePages): Promise<void> {
  const kinds = await pages.personData.listKinds();
  const { privacy, keptDays } = pages;
  sendPage(response, views.render('privacy', { ...readReader(request, response, pages), kinds, privacy, keptDays }));
}

function showSupport(request: Request, response: Response, pages: HomePages): void {
  sendPage(response, views.render('support', { ...readReader(request, response, pages), privacy: pages.privacy }));
}

const DAY_MS = 86_400_000;
/** RFC 9116 advises less than a year. */
const CONTACT_DAYS = 180;

/** Sends `security.txt` (RFC 9116). Errors: PATH_UNKNOWN if the operator has named no contact. */
function sendSecurityContact(_request: Request, response: Response, { security, publicUrl, clock }: HomePages): void {
  const { contact, policy } = security ?? {};
  if (contact === undefined) throw new AppError('PATH_UNKNOWN', 'This host names no contact for security.');
  const expiresAt = new Date((Math.floor(clock.now().getTime() / DAY_MS) + CONTACT_DAYS) * DAY_MS);
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expiresAt.toISOString()}`,
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    ...(policy === undefined ? [] : [`Policy: ${policy}`]),
  ];
  response
    .set('Cache-Control', 'public, max-age=86400')
    .type('text')
    .send(`${lines.join('\n')}\n`);
}

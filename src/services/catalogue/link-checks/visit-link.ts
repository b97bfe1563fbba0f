import { findSiteContentWitness } from '#domain/sites/sites';
import { findRedirectAddress, readRetryAfterMs } from '#domain/web-address';
import { AppError } from '#errors';
import type { OutboundAnswer, OutboundFailure } from '#ports/outbound';
import type { LinkCheck, LinkProblem } from '#ports/store/store';
import { isAboutSiteRules, type SiteManners } from './site-manners.ts';

export interface LinkVisit extends Pick<LinkCheck, 'movedTo' | 'etag' | 'lastModified' | 'picture'> {
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Null if the address works. */
  readonly problem: LinkProblem | null;
  /** How long the host asks to be left alone; such an answer says nothing about the address. */
  readonly waitSeconds: number | null;
}

export interface VisitOptions {
  readonly manners: SiteManners;
  readonly before: LinkCheck | undefined;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 5;
/** Size of the part of a page that shows whether its domain is for sale, and its description. */
const MAX_BYTES = 32_768;
/** Rest of a busy host that does not say how long it is. */
const BUSY_MS = 60_000;
const noDetails = { movedTo: null, etag: null, lastModified: null, picture: null, waitSeconds: null } as const;

/** Requests an address as a browser would, unless it is unchanged, and reads its beginning. A page
 *  that has moved for good is requested at its new address, and at the old one only if that fails.
 *  Errors: the signal's reason. */
export async function visitLink(url: string, options: VisitOptions): Promise<LinkVisit> {
  const movedTo = options.before?.movedTo ?? null;
  if (movedTo === null) return visitWitness(url, options);
  const visit = await visitWitness(movedTo, options);
  if (visit.problem === null) return { ...visit, movedTo: visit.movedTo ?? movedTo };
  return visitWitness(url, { ...options, before: undefined });
}

/** Visits another address that shows whether the content exists, for sites whose pages answer the
 *  same in both cases; else the address itself. */
async function visitWitness(url: string, options: VisitOptions): Promise<LinkVisit> {
  const witness = findSiteContentWitness(url);
  const answer = witness === null ? null : await requestLink(witness, options);
  return answer === null || answer.problem === 'robots' ? requestLink(url, options) : { ...answer, movedTo: null };
}

async function requestLink(url: string, options: VisitOptions): Promise<LinkVisit> {
  try {
    return await followRedirects(url, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { ...noDetails, status: null, problem: findVisitProblem(error) };
  }
}

async function followRedirects(url: string, { manners, before, signal }: VisitOptions): Promise<LinkVisit> {
  let address = url;
  let isForGood = true;
  for (let redirectsLeft = MAX_REDIRECTS; ; redirectsLeft--) {
    const isFirst = address === url;
    const headers = { accept: '*/*', range: `bytes=0-${MAX_BYTES - 1}`, ...(isFirst && toConditions(before)) };
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, whenLonger: 'cut' } as const;
    const answer = await manners.request(address, { headers, ...limits, signal });
    if (answer === null) return { ...noDetails, status: null, problem: 'robots' };
    const target = findRedirectAddress(answer.status, answer.headers.location, answer.url);
    if (target === null) return judge(answer, { url, address, isForGood, before, manners });
    if (redirectsLeft === 0) return { ...noDetails, status: answer.status, problem: 'redirects' };
    isForGood &&= answer.status === 301 || answer.status === 308;
    address = target;
  }
}

function toConditions(before: LinkCheck | undefined): Readonly<Record<string, string>> {
  if (before?.state !== 'alive') return {};
  const { etag, lastModified } = before;
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
}

interface Route extends Pick<VisitOptions, 'before' | 'manners'> {
  readonly url: string;
  readonly address: string;
  /** Whether all redirects are permanent. */
  readonly isForGood: boolean;
}

async function judge(answer: OutboundAnswer, { url, address, isForGood, before, manners }: Route): Promise<LinkVisit> {
  const { status, headers } = answer;
  const waitMs = readRetryAfterMs(headers['retry-after'], Date.now()) ?? BUSY_MS;
  if (status === 429 || (status === 503 && headers['retry-after'] !== undefined))
    return { ...noDetails, status, problem: null, waitSeconds: Math.max(1, waitMs / 1_000) };
  if (status === 304)
    return {
      ...noDetails,
      status,
      problem: null,
      etag: before?.etag ?? null,
      lastModified: before?.lastModified ?? null,
      picture: before?.picture ?? null,
    };
  const problem = findStatusProblem(status) ?? findPageProblem(url, address, answer);
  if (problem !== null) return { ...noDetails, status, problem };
  const isMoved = isForGood && address !== url;
  const isLasting = isMoved || address === url;
  return {
    status,
    problem,
    waitSeconds: null,
    movedTo: isMoved ? keepFragment(address, url) : null,
    etag: isLasting ? keepShort(headers.etag) : null,
    lastModified: isLasting ? keepShort(headers['last-modified']) : null,
    // The picture of another page may be that of a sign-in.
    picture: isLasting ? keepShort((await manners.readPicture(answer)) ?? undefined) : null,
  };
}

/** Returns an address with the fragment of the redirected one, which browsers keep. */
function keepFragment(address: string, url: string): string {
  const { hash } = new URL(url);
  return address.includes('#') ? address : address + hash;
}

const MAX_LENGTH = 500;

/** Returns null for a missing or long text, which is not stored. */
function keepShort(text: string | undefined): string | null {
  return text === undefined || text.length > MAX_LENGTH ? null : text;
}

function findStatusProblem(status: number): LinkProblem | null {
  // 416 is only about the requested range: the page exists.
  if (status < 300 || status === 416) return null;
  if (status < 400) return 'redirects';
  if (status === 404) return 'not-found';
  if (status === 410) return 'gone';
  return status >= 500 ? 'server-error' : 'forbidden';
}

const problems: Readonly<Record<OutboundFailure, LinkProblem>> = {
  timeout: 'timeout',
  'no-host': 'no-host',
  certificate: 'certificate',
  'too-long': 'refused',
  redirects: 'redirects',
  connection: 'refused',
};

function findVisitProblem(error: AppError): LinkProblem {
  if (error.code === 'OUTBOUND_REFUSED') return 'not-public';
  if (isAboutSiteRules(error)) return error.code === 'SOURCE_UNAVAILABLE' ? 'server-error' : 'robots';
  return problems[error.data.failure as OutboundFailure] ?? 'refused';
}

/** Hosts of companies that sell domains, to which domains for sale redirect. */
const SELLERS =
  /(?:^|\.)(?:sedo|sedoparking|parkingcrew|bodis|dan|hugedomains|afternic|undeveloped|domainmarket|buydomains|above|parklogic|uniregistry|atom|squadhelp)\.(?:com|net)$/;

/** Parts that only the pages of these companies load. */
const PARKING_PARTS =
  /sedoparking\.com|parkingcrew\.net|bodis\.com\/|wsimg\.com\/parking-lander|window\.park\s*=\s*["']|d38psrni17bvxu\.cloudfront\.net|location\.href\s*=\s*["']\/lander["']/i;

const SALE_TITLE =
  /<title[^>]*>[^<]*(?:domain (?:name )?(?:is |may be )?for sale|buy this domain|parked (?:domain|free)|domain parking|domaine (?:est )?à vendre|domain steht zum verkauf)/i;

function findPageProblem(url: string, address: string, answer: OutboundAnswer): LinkProblem | null {
  if (isParked(url, answer)) return 'parked';
  return address !== url && isHome(address) && !isHome(url) ? 'sent-home' : null;
}

/** Tells whether a domain is for sale, or only shows advertisements. */
function isParked(url: string, { text, headers, url: address }: OutboundAnswer): boolean {
  const [first, last] = [new URL(url).hostname, new URL(address).hostname];
  if (first !== last && SELLERS.test(last)) return true;
  if (!/html/i.test(headers['content-type'] ?? 'html')) return false;
  return PARKING_PARTS.test(text) || SALE_TITLE.test(text);
}

const HOME =
  /^(?:\/(?:[a-z]{2}(?:[-_][a-z]{2})?))?\/?(?:(?:index|home|default|accueil|startseite)(?:\.\w{2,5})?)?\/?$/i;

/** Tells whether an address is a home page. With a query, or a route in the fragment, it is not. */
function isHome(address: string): boolean {
  const { pathname, search, hash } = new URL(address);
  return HOME.test(pathname) && search === '' && !/^#[/!]./.test(hash);
}

const DAY_MS = 86_400_000;

/** Days for which, and times in a row that, an address must fail in the same way to count as dead:
 *  on three days if the site itself says so. Null for problems that people may not have. */
const proofs: Readonly<Record<LinkProblem, { readonly days: number; readonly failures: number } | null>> = {
  'not-found': { days: 2, failures: 3 },
  gone: { days: 2, failures: 3 },
  parked: { days: 2, failures: 3 },
  'sent-home': { days: 2, failures: 3 },
  'no-host': { days: 2, failures: 3 },
  refused: { days: 7, failures: 3 },
  timeout: { days: 7, failures: 3 },
  certificate: { days: 7, failures: 3 },
  redirects: { days: 7, failures: 3 },
  'server-error': { days: 7, failures: 3 },
  forbidden: null,
  'not-public': null,
  robots: null,
};

/** Tells whether an address that fails like this can be dead. */
export const canLinkBeDead = (problem: LinkProblem | null): boolean => problem !== null && proofs[problem] !== null;

/** Both statuses mean that the site has no such page. */
const missingProblems: ReadonlySet<LinkProblem | null> = new Set(['not-found', 'gone']);

/** Returns the check of an address after a visit. @param before the check before it */
export function judgeLink(before: LinkCheck | undefined, url: string, visit: LinkVisit, now: Date): LinkCheck {
  const { status, problem, movedTo, etag, lastModified, picture } = visit;
  const details = { url, checkedAt: now, status, reason: problem, movedTo, etag, lastModified, picture };
  if (problem === null) return { ...details, state: 'alive', since: findStateSince(before, 'alive', now), failures: 0 };
  const isSame =
    before !== undefined &&
    (before.reason === problem || (missingProblems.has(before.reason) && missingProblems.has(problem)));
  const failures = isSame ? before.failures + 1 : 1;
  const failingSince = isSame ? before.since : now;
  const proof = proofs[problem];
  const isProven =
    proof !== null && failures >= proof.failures && now.getTime() - failingSince.getTime() >= proof.days * DAY_MS;
  // A dead address stays dead until there is an answer.
  const state = isProven || (before?.state === 'dead' && proof !== null) ? 'dead' : 'unsure';
  // With another problem the time starts anew.
  const since = state === 'unsure' ? failingSince : findStateSince(before, 'dead', now);
  return { ...details, state, since, failures };
}

function findStateSince(before: LinkCheck | undefined, state: LinkCheck['state'], now: Date): Date {
  return before?.state === state ? before.since : now;
}

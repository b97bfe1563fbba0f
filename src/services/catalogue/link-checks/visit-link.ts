import { findContentWitness } from '#domain/sites/sites';
import { AppError } from '#errors';
import type { OutboundAnswer, OutboundFailure } from '#ports/outbound';
import type { LinkCheck, LinkProblem } from '#ports/store/store';
import { isAboutSiteRules, type SiteManners } from './site-manners.ts';

/** What an address answered. */
export interface LinkVisit extends Pick<LinkCheck, 'movedTo' | 'etag' | 'lastModified'> {
  /** Null where there was no answer. */
  readonly status: number | null;
  /** Null where it is as it should be. */
  readonly problem: LinkProblem | null;
  /** How long the host asks to be left alone; such an answer says nothing about the address. */
  readonly waitSeconds: number | null;
}

export interface VisitOptions {
  readonly manners: SiteManners;
  /** What is known of the address. */
  readonly before: LinkCheck | undefined;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 5;

/** Enough of a page to tell whether its domain is for sale. */
const MAX_BYTES = 16_384;

/** For a host that says that it is busy, but not for how long. */
const BUSY_SECONDS = 60;

const nothing = { movedTo: null, etag: null, lastModified: null, waitSeconds: null } as const;

/** Asks for an address as a browser would, but only for what has changed, and reads its beginning. What has moved for good is
 *  asked for where it is now, and at its first address only where it fails there.
 *  Errors: what the signal was aborted with. */
export async function visitLink(url: string, options: VisitOptions): Promise<LinkVisit> {
  const movedTo = options.before?.movedTo ?? null;
  if (movedTo === null) return visit(url, options);
  const there = await visit(movedTo, options);
  if (there.problem === null) return { ...there, movedTo: there.movedTo ?? movedTo };
  return visit(url, { ...options, before: undefined });
}

/** Where the site has something that says whether its content is there, only that is asked, as its page says nothing. */
async function visit(url: string, options: VisitOptions): Promise<LinkVisit> {
  const witness = findContentWitness(url);
  const said = witness === null ? null : await ask(witness, options);
  return said === null || said.problem === 'robots' ? ask(url, options) : { ...said, movedTo: null };
}

async function ask(url: string, options: VisitOptions): Promise<LinkVisit> {
  try {
    return await follow(url, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { ...nothing, status: null, problem: problemOf(error) };
  }
}

async function follow(url: string, { manners, before, signal }: VisitOptions): Promise<LinkVisit> {
  let address = url;
  let isForGood = true;
  for (let left = MAX_REDIRECTS; ; left--) {
    const isFirst = address === url;
    const headers = {
      accept: '*/*',
      range: `bytes=0-${MAX_BYTES - 1}`,
      ...(isFirst && toConditions(before)),
    };
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, whenLonger: 'cut' } as const;
    const answer = await manners.request(address, { headers, ...limits, signal });
    if (answer === null) return { ...nothing, status: null, problem: 'robots' };
    const target = findTarget(answer);
    if (target === null) return judge(answer, { url, address, isForGood, before });
    if (left === 0) return { ...nothing, status: answer.status, problem: 'redirects' };
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

function findTarget({ status, headers, url }: OutboundAnswer): string | null {
  const { location } = headers;
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return null;
  return URL.canParse(location, url) ? new URL(location, url).href : null;
}

interface Way extends Pick<VisitOptions, 'before'> {
  /** Where it began, and where it ended. */
  readonly url: string;
  readonly address: string;
  /** Whether all redirects say that they will stay. */
  readonly isForGood: boolean;
}

function judge(answer: OutboundAnswer, { url, address, isForGood, before }: Way): LinkVisit {
  const { status, headers } = answer;
  if (status === 429 || (status === 503 && headers['retry-after'] !== undefined))
    return { ...nothing, status, problem: null, waitSeconds: waitOf(answer) };
  if (status === 304)
    return {
      ...nothing,
      status,
      problem: null,
      etag: before?.etag ?? null,
      lastModified: before?.lastModified ?? null,
    };
  const problem =
    problemOfStatus(status) ??
    (isParkedPage(url, answer) ? 'parked' : leadsHome(url, address) ? 'sent-home' : null);
  if (problem !== null) return { ...nothing, status, problem };
  const isMoved = isForGood && address !== url;
  const isKnown = isMoved || address === url;
  return {
    ...{ status, problem, waitSeconds: null },
    movedTo: isMoved ? withPlace(address, url) : null,
    etag: isKnown ? shortened(headers.etag) : null,
    lastModified: isKnown ? shortened(headers['last-modified']) : null,
  };
}

/** A redirect says nothing about the place on a page: as browsers do, it is kept. */
function withPlace(address: string, url: string): string {
  const { hash } = new URL(url);
  return address.includes('#') ? address : address + hash;
}

const MAX_VALIDATOR = 500;

function shortened(validator: string | undefined): string | null {
  return validator === undefined || validator.length > MAX_VALIDATOR ? null : validator;
}

function waitOf({ headers }: OutboundAnswer): number {
  const text = headers['retry-after'] ?? '';
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? BUSY_SECONDS : Math.max(1, seconds);
}

function problemOfStatus(status: number): LinkProblem | null {
  // 416 is only about the range that was asked for: the page is there.
  if (status < 400 || status === 416) return status >= 300 && status !== 416 ? 'redirects' : null;
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

function problemOf(error: AppError): LinkProblem {
  if (error.code === 'OUTBOUND_REFUSED') return 'not-public';
  if (isAboutSiteRules(error)) return error.code === 'SOURCE_UNAVAILABLE' ? 'server-error' : 'robots';
  return problems[error.data.failure as OutboundFailure] ?? 'refused';
}

/** Companies whose pages stand where a domain is for sale. */
const SELLERS =
  /(?:^|\.)(?:sedo|sedoparking|parkingcrew|bodis|dan|hugedomains|afternic|undeveloped|domainmarket|buydomains|above|parklogic|uniregistry|atom|squadhelp)\.(?:com|net)$/;

/** What only their pages load. */
const PARKING_PARTS =
  /sedoparking\.com|parkingcrew\.net|bodis\.com\/|wsimg\.com\/parking-lander|window\.park\s*=\s*["']|d38psrni17bvxu\.cloudfront\.net|location\.href\s*=\s*["']\/lander["']/i;

const SALE_TITLE =
  /<title[^>]*>[^<]*(?:domain (?:name )?(?:is |may be )?for sale|buy this domain|parked (?:domain|free)|domain parking|domaine (?:est )?à vendre|domain steht zum verkauf)/i;

/** Whether a page stands where a domain is for sale, or only shows advertisements. */
function isParkedPage(url: string, { text, headers, url: address }: OutboundAnswer): boolean {
  const [first, last] = [new URL(url).hostname, new URL(address).hostname];
  if (first !== last && SELLERS.test(last)) return true;
  if (!/html/i.test(headers['content-type'] ?? 'html')) return false;
  return PARKING_PARTS.test(text) || SALE_TITLE.test(text);
}

const HOME =
  /^(?:\/(?:[a-z]{2}(?:[-_][a-z]{2})?))?\/?(?:(?:index|home|default|accueil|startseite)(?:\.\w{2,5})?)?\/?$/i;

/** Whether an address that was not a home page has become one. */
function leadsHome(url: string, address: string): boolean {
  return address !== url && isHome(address) && !isHome(url);
}

/** With a query or a route in the fragment it is a page of its own. */
function isHome(address: string): boolean {
  const { pathname, search, hash } = new URL(address);
  return HOME.test(pathname) && search === '' && !/^#[/!]./.test(hash);
}

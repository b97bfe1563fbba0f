import type { LoginInitiation } from '../../../demo/platform/login.ts';
import { type FakeKeys, type Forgery, readClaims } from './keys.ts';

/** A launch without a browser: what a browser would do, by plain requests. */
export interface LaunchFlowOptions {
  /** Changes the parameters of the login. */
  readonly login?: (fields: Record<string, string>) => Record<string, string>;
  /** What is wrong with the message. */
  readonly forgery?: Forgery;
  /** Whether the browser sends cookies back; true when absent. */
  readonly keepsCookies?: boolean;
}

/** A message that is about to be sent. */
export interface PreparedLaunch {
  /** As the tool's login gave it. */
  readonly authorization: URL;
  /** Where the message goes. */
  readonly action: string;
  readonly fields: Readonly<Record<'id_token' | 'state', string>>;
  /** `Cookie` header; empty where none is sent. */
  readonly cookie: string;
  /** As the platform signed them, before any forgery. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface SentLaunch extends PreparedLaunch {
  /** The tool's answer; redirects are not followed. */
  readonly response: Response;
  /** Where it leads, absolute; null where it does not. */
  readonly location: URL | null;
}

export interface LaunchFlowDeps {
  readonly keys: FakeKeys;
  readonly authorizationEndpoint: string;
}

export function createLaunchFlow({ keys, authorizationEndpoint }: LaunchFlowDeps) {
  async function prepare(begun: LoginInitiation, options: LaunchFlowOptions): Promise<PreparedLaunch> {
    const login = await openLogin(begun, options.login);
    const authorization = await findAuthorization(login, authorizationEndpoint);
    const asked = await fetch(authorization);
    const page = await asked.text();
    if (!asked.ok) throw new Error(`The platform refused the authorization request: ${page}`);
    const token = fieldOf(page, 'id_token');
    const claims = readClaims(token);
    const { forgery, keepsCookies = true } = options;
    return {
      authorization,
      action: decode(/action="([^"]*)"/.exec(page)![1]!),
      fields: {
        id_token: forgery === undefined ? token : keys.forge(claims, forgery),
        state: fieldOf(page, 'state'),
      },
      cookie: keepsCookies ? cookiesOf(login) : '',
      claims,
    };
  }

  async function send(prepared: PreparedLaunch): Promise<SentLaunch> {
    const { action, fields, cookie } = prepared;
    const response = await fetch(action, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...(cookie !== '' && { cookie }), origin: new URL(authorizationEndpoint).origin },
      body: new URLSearchParams(fields),
    });
    const location = response.headers.get('location');
    return { ...prepared, response, location: location === null ? null : new URL(location, action) };
  }

  return { prepare, send };
}

async function openLogin(
  { method, url, fields }: LoginInitiation,
  change: LaunchFlowOptions['login'] = (same) => same,
): Promise<Response> {
  const parameters = new URLSearchParams(change({ ...fields }));
  if (method === 'POST') return fetch(url, { method, redirect: 'manual', body: parameters });
  const address = new URL(url);
  for (const [name, value] of parameters) address.searchParams.append(name, value);
  return fetch(address, { redirect: 'manual' });
}

/** Tools redirect, or show a page that holds the address somewhere. */
async function findAuthorization(login: Response, endpoint: string): Promise<URL> {
  const location = login.headers.get('location');
  const page = await login.text();
  const found =
    location ??
    [...page.matchAll(/"(https?:[^"]*)"/g)]
      .map(([, text]) => decode(text!))
      .find((text) => text.startsWith(`${endpoint}?`));
  if (!found?.startsWith(endpoint))
    throw new Error(`The login (${login.status}) does not lead to ${endpoint}: ${location ?? page.slice(0, 2000)}`);
  return new URL(found);
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ');
}

const fieldOf = (page: string, name: string) => decode(new RegExp(`name="${name}" value="([^"]*)"`).exec(page)![1]!);

function decode(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
    '#x2F': '/',
  };
  return text.replace(/&(#?\w+);/g, (all, name: string) => marks[name] ?? all);
}

import { randomBytes } from 'node:crypto';
import { UnsecuredJWT } from 'jose';
import type { Tool } from '../../../demo/platform/model.ts';
import { allScopes } from '../../../demo/platform/vocabulary.ts';
import { canvasPlacementNames, type FakePlatformMode } from './modes.ts';

const TOOL_CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
const PLATFORM_CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-platform-configuration';
const CANVAS = 'https://canvas.instructure.com/lti/';

/** Dynamic registration as both products do it. Source: LTI Dynamic Registration 1.0. */
export interface FakeRegistration {
  /** A token for one registration, or for an update of a client that is there. */
  makeToken(updates?: string): string;
  openidConfiguration(authorization: string | undefined): RegistrationReply;
  register(request: RegistrationRequest): RegistrationReply;
}

export interface RegistrationRequest {
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

export interface RegistrationReply {
  readonly status: number;
  /** Text where it was refused. */
  readonly body: unknown;
}

export interface FakeRegistrationDeps {
  readonly mode: FakePlatformMode;
  readonly issuer: string;
  readonly url: string;
  readonly addresses: Readonly<Record<'authorization' | 'keys' | 'token', string>>;
  add(tool: Tool): void;
  /** The last registration as it was sent. */
  note(request: Record<string, unknown>): void;
}

interface RegistrationOnWire {
  readonly client_name?: unknown;
  readonly application_type?: unknown;
  readonly response_types?: readonly string[];
  readonly grant_types?: readonly string[];
  readonly initiate_login_uri?: string;
  readonly redirect_uris?: readonly string[];
  readonly jwks_uri?: string;
  readonly jwks?: unknown;
  readonly token_endpoint_auth_method?: string;
  readonly scope?: string;
  readonly [TOOL_CONFIGURATION]?: {
    readonly domain?: string;
    readonly target_link_uri?: string;
    readonly claims?: readonly string[];
    readonly messages?: readonly Readonly<Record<string, unknown> & { readonly placements?: readonly string[] }>[];
    readonly [name: string]: unknown;
  };
}

export function createFakeRegistration(deps: FakeRegistrationDeps): FakeRegistration {
  const tokens = new Map<string, string | null>();
  const bearer = (authorization = '') => /^Bearer (\S+)$/.exec(authorization)?.[1] ?? '';
  let clients = 0;
  return {
    makeToken(updates) {
      const id = randomBytes(16).toString('hex');
      const token = deps.mode === 'moodle' ? toMoodleToken(id, updates !== undefined) : id;
      tokens.set(token, updates ?? null);
      return token;
    },
    openidConfiguration(authorization) {
      // Canvas gives its configuration to those only whom an administrator sent.
      if (deps.mode === 'canvas' && !tokens.has(bearer(authorization)))
        return { status: 401, body: 'The registration token is missing' };
      return { status: 200, body: describe(deps) };
    },
    register({ authorization, contentType, body }) {
      const updates = tokens.get(bearer(authorization)) ?? null;
      if (!tokens.delete(bearer(authorization))) return { status: 401, body: 'The registration token is not good' };
      if (contentType?.split(';')[0] !== 'application/json') return { status: 400, body: 'JSON is expected' };
      const wanted = JSON.parse(body) as RegistrationOnWire;
      deps.note(wanted as Record<string, unknown>);
      const problem =
        findProblem(wanted) ?? (deps.mode === 'moodle' ? findMoodleProblem(wanted) : findCanvasProblem(wanted));
      if (problem !== null) return { status: 400, body: problem };
      const tool = toTool(wanted, updates === null ? ++clients : Number(updates.replace('client-', '')));
      deps.add(tool);
      return { status: deps.mode === 'moodle' ? 200 : 201, body: toReply(wanted, tool) };
    },
  };
}

/** A JWT that says what it is for; its signature is of no interest to tools. */
const toMoodleToken = (sub: string, isUpdate: boolean): string =>
  new UnsecuredJWT({ sub, scope: isUpdate ? 'reg-update' : 'reg' }).encode();

function describe({ mode, issuer, url, addresses }: FakeRegistrationDeps) {
  const placements = {
    moodle: ['ContentArea'],
    canvas: canvasPlacementNames.map((name) => `${CANVAS}${name}`),
    edx: [],
  }[mode];
  return {
    issuer,
    authorization_endpoint: addresses.authorization,
    token_endpoint: addresses.token,
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['RS256'],
    jwks_uri: addresses.keys,
    registration_endpoint: `${url}/register`,
    scopes_supported: mode === 'moodle' ? ['openid', ...allScopes] : allScopes,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    claims_supported: ['sub', 'iss', 'name', 'given_name', 'family_name', 'email'],
    [PLATFORM_CONFIGURATION]: {
      product_family_code: mode,
      version: mode === 'moodle' ? '4.1' : 'cloud',
      messages_supported: [{ type: 'LtiResourceLinkRequest' }, { type: 'LtiDeepLinkingRequest', placements }],
      variables: ['Context.id.history', 'ResourceLink.id.history'],
    },
  };
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function findProblem(wanted: RegistrationOnWire): string | null {
  const configuration = wanted[TOOL_CONFIGURATION];
  if (typeof wanted.client_name !== 'string' || wanted.client_name === '') return 'client_name is missing';
  if (!list(wanted.response_types).includes('id_token')) return 'response_types must have id_token';
  if (!isAddress(wanted.initiate_login_uri)) return 'initiate_login_uri is missing';
  if (list(wanted.redirect_uris).length === 0 || !list(wanted.redirect_uris).every(isAddress))
    return 'redirect_uris is missing';
  if (wanted.jwks !== undefined) return 'inline jwks is not taken';
  if (!isAddress(wanted.jwks_uri)) return 'jwks_uri is missing';
  if (wanted.token_endpoint_auth_method !== 'private_key_jwt')
    return 'token_endpoint_auth_method must be private_key_jwt';
  if (configuration === undefined) return `${TOOL_CONFIGURATION} is missing`;
  if (!isAddress(configuration.target_link_uri)) return 'target_link_uri is missing';
  return list(configuration.messages).length === 0 ? 'messages is missing' : null;
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);

function findMoodleProblem(wanted: RegistrationOnWire): string | null {
  const { domain, target_link_uri: target } = wanted[TOOL_CONFIGURATION]!;
  return domain === new URL(target!).host ? null : `domain must be ${new URL(target!).host}`;
}

/** Names are taken with their prefix or without. */
const bare = (placement: string) => placement.replace(/^https:\/\/canvas\.instructure\.com\/(?:lti\/)?/, '');
const sharedPlacements: readonly string[] = ['ContentArea', 'RichTextEditor'];

function findCanvasProblem(wanted: RegistrationOnWire): string | null {
  const unknownScope = (wanted.scope ?? '').split(' ').find((name) => name !== '' && !allScopes.includes(name));
  if (unknownScope !== undefined) return `the scope ${unknownScope} is not known`;
  const configuration = wanted[TOOL_CONFIGURATION]!;
  const privacy = configuration[`${CANVAS}privacy_level`];
  if (privacy !== undefined && !['public', 'name_only', 'email_only', 'anonymous'].includes(String(privacy)))
    return `the privacy level ${privacy} is not known`;
  for (const { type, placements = [] } of configuration.messages!) {
    if (placements.length === 0) return `the message ${type} names no placements`;
    const wrong = placements.find((name) => ![...canvasPlacementNames, ...sharedPlacements].includes(bare(name)));
    if (wrong !== undefined) return `the placement ${wrong} is not known`;
    if (type === 'LtiDeepLinkingRequest' && placements.some((name) => bare(name) === 'course_navigation'))
      return 'nothing is chosen at course_navigation';
  }
  return null;
}

function toTool(wanted: RegistrationOnWire, number: number): Tool {
  return {
    clientId: `client-${number}`,
    deploymentId: `${number}`,
    name: String(wanted.client_name),
    initiateLoginUri: wanted.initiate_login_uri!,
    targetLinkUri: wanted[TOOL_CONFIGURATION]!.target_link_uri!,
    redirectUris: wanted.redirect_uris!,
    jwksUri: wanted.jwks_uri!,
    scopes: (wanted.scope ?? '').split(' ').filter((name) => allScopes.includes(name)),
  };
}

function toReply(wanted: RegistrationOnWire, { clientId, deploymentId, scopes }: Tool) {
  return {
    ...wanted,
    client_id: clientId,
    scope: scopes.join(' '),
    [TOOL_CONFIGURATION]: { ...wanted[TOOL_CONFIGURATION], deployment_id: deploymentId },
  };
}

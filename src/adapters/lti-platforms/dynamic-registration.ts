/** The calls of LTI Dynamic Registration 1.0, https://www.imsglobal.org/spec/lti-dr/v1p0. */
import { z } from 'zod';
import { isRegistrationIdentifier } from '#domain/lti/registration';
import { parseJson } from '#domain/text';
import { isLoopbackAddress } from '#domain/web-address';
import { AppError } from '#errors';
import type { PlatformConfiguration, RegisteredTool, RegistrationEndpoint } from '#ports/lti-platforms';
import type { Outbound, OutboundAnswer, OutboundRequest } from '#ports/outbound';
import { toDisplayLine, withinSite } from './platform-call.ts';

/** Why a registration failed. The texts are below `register.failures`. */
type FailureReason =
  | 'address'
  | 'private'
  | 'unreachable'
  /** The platform does not accept its registration token. */
  | 'token'
  | 'configuration'
  | 'issuer'
  | 'refused'
  | 'answer';

const MAX_ADDRESS_LENGTH = 2_000;
/** The configuration travels through a form. */
const MAX_CONFIGURATION_BYTES = 65_536;
const MAX_ANSWER_BYTES = 262_144;
/** Platforms fetch our keys and icon before they answer. */
const REGISTRATION_TIMEOUT_MS = 15_000;

const PLATFORM = 'https://purl.imsglobal.org/spec/lti-platform-configuration';
const TOOL = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
const ACCOUNT_NAME = 'https://canvas.instructure.com/lti/account_name';

const text = (maxLength: number) => z.string().min(1).max(maxLength);
const address = text(MAX_ADDRESS_LENGTH).refine(isCallable, 'must be an https address');
const message = z.object({ type: text(200), placements: z.array(text(300)).max(200).optional() });

const configurationAnswer = z
  .object({
    issuer: text(255).refine(
      (issuer) => isRegistrationIdentifier(issuer) && isCallable(issuer),
      'must be an https address',
    ),
    authorization_endpoint: address,
    token_endpoint: address,
    jwks_uri: address,
    registration_endpoint: address,
    // Canvas gives its bare name here, but wants the token endpoint as the audience.
    authorization_server: text(MAX_ADDRESS_LENGTH)
      .optional()
      .transform((audience) => (audience !== undefined && URL.canParse(audience) ? audience : null)),
    scopes_supported: z.array(text(500)).max(500).default([]),
    [PLATFORM]: z
      .object({
        product_family_code: text(200).optional(),
        version: text(200).optional(),
        messages_supported: z.array(message).max(50).default([]),
        [ACCOUNT_NAME]: text(200).optional(),
      })
      .default({ messages_supported: [] }),
  })
  .transform(
    ({ [PLATFORM]: platform, ...answer }): PlatformConfiguration => ({
      issuer: answer.issuer,
      authorizationEndpoint: answer.authorization_endpoint,
      tokenEndpoint: answer.token_endpoint,
      jwksUri: answer.jwks_uri,
      registrationEndpoint: answer.registration_endpoint,
      tokenAudience: answer.authorization_server,
      scopes: answer.scopes_supported,
      family: platform.product_family_code ?? null,
      version: platform.version ?? null,
      account: platform[ACCOUNT_NAME] ?? null,
      messages: platform.messages_supported.map(({ type, placements = null }) => ({ type, placements })),
    }),
  );

/** Fetches the configuration of a platform (§3.5), which must speak for its issuer (§3.7). Errors:
 *  REGISTRATION_FAILED. @param token of the platform; null if it sent none */
export async function fetchPlatformConfiguration(
  outbound: Outbound,
  url: string,
  token: string | null,
): Promise<PlatformConfiguration> {
  if (url.length > MAX_ADDRESS_LENGTH || !isCallable(url)) throw createRegistrationFailure('address');
  const { host } = new URL(url);
  const headers = { accept: 'application/json', ...toRegistrationAuthorization(token) };
  const answer = await callPlatform(outbound, url, { headers, maxBytes: MAX_CONFIGURATION_BYTES, ...withinSite });
  const { status } = answer;
  if (status === 401 || status === 403) throw createRegistrationFailure('token', { host, status });
  if (status !== 200) throw createRegistrationFailure('configuration', { host, detail: `HTTP ${status}` });
  const configuration = readRegistrationAnswer(answer, configurationAnswer, { reason: 'configuration', host });
  // Otherwise anyone could register in the name of another platform.
  if (![host, new URL(answer.url).host].includes(new URL(configuration.issuer).host))
    throw createRegistrationFailure('issuer', { host, detail: configuration.issuer });
  return configuration;
}

const identifier = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine(isRegistrationIdentifier, 'must have 1 to 255 printable characters');
const deployment = identifier.nullish();

const registrationAnswer = z
  .object({
    client_id: identifier,
    deployment_id: deployment,
    [TOOL]: z.object({ deployment_id: deployment }).optional(),
  })
  .transform(({ client_id: clientId, deployment_id, [TOOL]: tool }) => ({
    clientId,
    deploymentId: tool?.deployment_id ?? deployment_id ?? null,
  }));

/** Registers the tool (§3.6). Errors: REGISTRATION_FAILED. */
export async function registerToolDynamically(
  outbound: Outbound,
  { url, token }: RegistrationEndpoint,
  tool: object,
): Promise<RegisteredTool> {
  const { host } = new URL(url);
  const answer = await callPlatform(outbound, url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...toRegistrationAuthorization(token) },
    body: JSON.stringify(tool),
    timeoutMs: REGISTRATION_TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  });
  const { status } = answer;
  // The specification says 201; Moodle answers with 200.
  if (status !== 200 && status !== 201)
    throw createRegistrationFailure('refused', { host, status, detail: toDisplayLine(answer.text) });
  return readRegistrationAnswer(answer, registrationAnswer, { reason: 'answer', host });
}

async function callPlatform(outbound: Outbound, url: string, request: OutboundRequest): Promise<OutboundAnswer> {
  try {
    return await outbound.request(url, request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const facts = { host: new URL(url).host, detail: toDisplayLine(error.message) };
    throw createRegistrationFailure(error.code === 'OUTBOUND_REFUSED' ? 'private' : 'unreachable', facts, error);
  }
}

/** Reads JSON, whatever its media type. Errors: REGISTRATION_FAILED with this reason. */
function readRegistrationAnswer<T>(
  answer: OutboundAnswer,
  schema: z.ZodType<T>,
  { reason, host }: { readonly reason: FailureReason; readonly host: string },
): T {
  const json = parseJson(answer.text);
  if (json === undefined)
    throw createRegistrationFailure(reason, { host, detail: toDisplayLine(answer.text) || '(empty)' });
  const { data, error } = schema.safeParse(json);
  if (error === undefined) return data;
  const problems = error.issues.slice(0, 20).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw createRegistrationFailure(reason, { host, detail: toDisplayLine(problems.join('; ')) });
}

/** @param facts of which `detail` is the answer of the platform, or the problem with it */
function createRegistrationFailure(
  reason: FailureReason,
  facts: { readonly host?: string; readonly status?: number; readonly detail?: string } = {},
  cause?: unknown,
): AppError {
  const detail = facts.detail === undefined ? '' : `: ${facts.detail}`;
  return new AppError(
    'REGISTRATION_FAILED',
    `The platform could not be registered (${reason}${detail}). Begin again in the platform with the same link.`,
    { cause, data: { reason, ...facts } },
  );
}

const toRegistrationAuthorization = (token: string | null) =>
  token === null ? {} : { authorization: `Bearer ${token}` };

function isCallable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, hash } = new URL(url);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackAddress(url));
  return isSafe && username === '' && password === '' && hash === '';
}

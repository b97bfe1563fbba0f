import { z } from 'zod';
import { isLoopback } from '#domain/loopback';
import { isRegistrationIdentifier } from '#domain/lti/registration';
import type { Outbound } from '#ports/outbound';
import { callPlatform, createRegistrationFailure, readPlatformAnswer } from './call-platform.ts';

const MAX_ADDRESS = 2_000;
/** What we keep of it travels through a form. */
const MAX_BYTES = 65_536;

const text = (max: number) => z.string().min(1).max(max);
const address = text(MAX_ADDRESS).refine(isCallable, 'must be an https address');

const PLATFORM = 'https://purl.imsglobal.org/spec/lti-platform-configuration';
const ACCOUNT_NAME = 'https://canvas.instructure.com/lti/account_name';

const message = z.object({ type: text(200), placements: z.array(text(300)).max(200).optional() });

const schema = z
  .object({
    issuer: text(255).refine(
      (issuer) => isRegistrationIdentifier(issuer) && isCallable(issuer),
      'must be an https address',
    ),
    authorization_endpoint: address,
    token_endpoint: address,
    jwks_uri: address,
    registration_endpoint: address,
    authorization_server: text(MAX_ADDRESS).optional(),
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
  .transform((sent) => {
    const platform = sent[PLATFORM];
    return {
      issuer: sent.issuer,
      authorizationEndpoint: sent.authorization_endpoint,
      tokenEndpoint: sent.token_endpoint,
      jwksUri: sent.jwks_uri,
      registrationEndpoint: sent.registration_endpoint,
      // Canvas gives its bare name here, but wants the token endpoint as the audience.
      tokenAudience: toAddress(sent.authorization_server),
      scopes: sent.scopes_supported,
      family: platform.product_family_code ?? null,
      version: platform.version ?? null,
      account: platform[ACCOUNT_NAME] ?? null,
      messages: platform.messages_supported.map(({ type, placements = null }) => ({ type, placements })),
    };
  });

/** What a platform says about itself, as far as it concerns us. */
export type PlatformConfiguration = z.infer<typeof schema>;

/** Fetch the configuration of a platform and see that it may speak for its issuer.
 *  Source: https://www.imsglobal.org/spec/lti-dr/v1p0, 3.5 and 3.7.
 *  Errors: REGISTRATION_FAILED.
 *  @param token of the platform; null where it sent none */
export async function fetchConfiguration(
  outbound: Outbound,
  url: string,
  token: string | null,
): Promise<PlatformConfiguration> {
  if (url.length > MAX_ADDRESS || !isCallable(url)) throw createRegistrationFailure('address');
  const { host } = new URL(url);
  const headers = { accept: 'application/json', ...createPlatformAuthorization(token) };
  const answer = await callPlatform(outbound, url, { headers, maxBytes: MAX_BYTES });
  const { status } = answer;
  if (status === 401 || status === 403) throw createRegistrationFailure('token', { host, status });
  if (status !== 200) throw createRegistrationFailure('configuration', { host, detail: `HTTP ${status}` });
  const configuration = readPlatformAnswer(answer, schema, { reason: 'configuration', host });
  // Otherwise anyone could register in the name of somebody else's platform.
  if (new URL(configuration.issuer).host !== host)
    throw createRegistrationFailure('issuer', { host, detail: configuration.issuer });
  return configuration;
}

export const createPlatformAuthorization = (token: string | null) =>
  token === null ? {} : { authorization: `Bearer ${token}` };

const toAddress = (text = '') => (URL.canParse(text) ? text : null);

function isCallable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, hash } = new URL(url);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(url));
  return isSafe && username === '' && password === '' && hash === '';
}

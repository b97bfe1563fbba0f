/** The beginning of a launch (third-party initiated login).
 *  1. The platform sends the browser here, by GET or POST, with its issuer and the target.
 *  2. A state, a nonce and a binding to the browser are stored for ten minutes.
 *  3. A page tests whether the browser keeps the binding; if not, the same login can begin in a new
 *     window. This comes first, as platforms accept the hints of a login only once.
 *  4. The page sends the browser on to the platform's authorization endpoint.
 *  https://www.imsglobal.org/spec/security/v1p0/#step-1-third-party-initiated-login
 *  https://www.imsglobal.org/spec/lti-cs-oidc/v0p1/ for step 3 where cookies are blocked */

import { randomBytes } from 'node:crypto';
import { AppError } from '#errors';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { LtiFaceDeps } from '../deps.ts';
import { type LtiContext, type LtiReply, makeLtiPage } from '../route.ts';
import { getToolAddresses, requireToolAddress } from '../tool-addresses.ts';
import { createBinding, createBindingCookies, hashBinding } from './binding.ts';
import { getRegistrationForLogin } from './launching-registration.ts';

const NONCE_BYTES = 32;

const maxLengths = {
  iss: 2_000,
  login_hint: 4_000,
  target_link_uri: 4_000,
  client_id: 255,
  lti_message_hint: 4_000,
  lti_deployment_id: 255,
  deployment_id: 255,
  lti_storage_target: 100,
} as const;
type LoginParameters = Readonly<Partial<Record<keyof typeof maxLengths, string>>>;

export async function beginLtiLogin(deps: LtiFaceDeps, context: LtiContext): Promise<LtiReply> {
  const { launches, registrations, publicUrl } = deps;
  await launches.countAttempt(context.request.ip ?? 'unknown');
  const login = readLoginParameters(context);
  const { iss = '', login_hint = '', target_link_uri = '', client_id = null } = login;
  if (iss === '' || login_hint === '' || target_link_uri === '') throw createIncompleteLoginError();
  requireToolAddress(target_link_uri, publicUrl);
  const registration = await getRegistrationForLogin(registrations, iss, client_id);
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const binding = createBinding();
  const state = await launches.beginLogin({
    nonce,
    registrationId: registration.id,
    bindingHash: hashBinding(binding),
    storageTarget: login.lti_storage_target ?? null,
  });
  const authorization = toLoginAuthorizationUrl(registration, login, {
    redirect_uri: getToolAddresses(publicUrl).launch,
    state,
    nonce,
  });
  const { lti_storage_target: storageTarget = '', ...windowParameters } = login;
  const model = {
    authorization,
    state,
    binding,
    storageTarget,
    platformOrigin: new URL(authorization).origin,
    // A new window begins the same login; the browser accepts cookies there.
    again: `/lti/login?${new URLSearchParams(windowParameters)}`,
    host: new URL(publicUrl).host,
    script: 'lti/login',
  };
  return makeLtiPage('login', model, { cookies: createBindingCookies(publicUrl).keep(state, binding) });
}

export function checkLoginCookie({ publicUrl }: LtiFaceDeps, { request, query }: LtiContext): LtiReply {
  const binding = createBindingCookies(publicUrl).read(request, query.get('state') ?? '');
  return { kind: 'json', body: { isKept: binding !== undefined } };
}

function readLoginParameters({ form, query }: LtiContext): LoginParameters {
  const parameters = Object.entries(maxLengths).flatMap(([name, maxLength]) => {
    const value = form.get(name) ?? query.get(name);
    if (value !== null && value.length > maxLength) throw createIncompleteLoginError();
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(parameters);
}

function toLoginAuthorizationUrl(
  { authorizationEndpoint, clientId }: LtiRegistrationRecord,
  { login_hint = '', lti_message_hint }: LoginParameters,
  response: Readonly<Record<'redirect_uri' | 'state' | 'nonce', string>>,
): string {
  const url = new URL(authorizationEndpoint);
  const parameters = {
    scope: 'openid',
    response_type: 'id_token',
    response_mode: 'form_post',
    prompt: 'none',
    client_id: clientId,
    login_hint,
    ...(lti_message_hint !== undefined && { lti_message_hint }),
    ...response,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function createIncompleteLoginError(): AppError {
  return new AppError(
    'LTI_REQUEST_INVALID',
    'This address is for platforms that begin a launch, and what came is not what they send (iss, login_hint, target_link_uri). Open the activity in the course.',
  );
}

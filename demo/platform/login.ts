import { randomBytes } from 'node:crypto';
import type { Clock } from '#ports/clock';
import { createExpiring } from './expiring.ts';
import type { MessageRequest, Tool } from './model.ts';
import { onlyMethod, type PlatformReply, type PlatformRequest, readForm, refuse, single } from './request.ts';
import type { PlatformTraits } from './traits.ts';

/** Third-party initiated login, from the platform's side.
 *
 *  1. Somebody opens a tool: what is wanted is kept, and their browser is sent to the tool's login address with a hint of it.
 *  2. The tool sends the browser to the authorization endpoint, with its state and nonce and the hints.
 *  3. The message is signed and posted to the tool's redirect address by a form. The hint is used up.
 *
 *  Source: IMS Security Framework 1.0, §5.1.1 (https://www.imsglobal.org/spec/security/v1p0/). */
export interface Logins {
  begin(wanted: MessageRequest): LoginInitiation;
  /** Step 3. Errors: what is wrong with the request of step 2. */
  authorize(request: PlatformRequest): Promise<PlatformReply>;
}

export interface LoginInitiation {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface LoginsDeps {
  readonly issuer: string;
  readonly traits: PlatformTraits;
  readonly clock: Clock;
  getTool(clientId: string): Tool;
  /** The id_token. */
  sign(wanted: MessageRequest, nonce: string): Promise<string>;
}

const LOGIN_TTL_SECONDS = 600;
const MAX_LOGINS = 1000;
const MAX_PARAMETER_LENGTH = 4096;

export function createLogins({ issuer, traits, clock, getTool, sign }: LoginsDeps): Logins {
  const begun = createExpiring<MessageRequest>({ clock, ttlSeconds: LOGIN_TTL_SECONDS, max: MAX_LOGINS });

  function findWanted(fields: URLSearchParams): MessageRequest {
    // As real platforms do: to begin again, the tool has to be opened again.
    const wanted = begun.take(single(fields, 'lti_message_hint')) ?? refuse('lti_message_hint is not known');
    if (single(fields, 'login_hint') !== wanted.personId) refuse('login_hint is not of who is signed in');
    if (single(fields, 'client_id') !== wanted.clientId) refuse('client_id is not of the tool that was opened');
    return wanted;
  }

  return {
    begin(wanted) {
      // It contains the language for people whose login has expired.
      const hint = `${randomBytes(16).toString('hex')}.${wanted.locale}`;
      begun.put(hint, wanted);
      const tool = getTool(wanted.clientId);
      const fields = {
        iss: issuer,
        target_link_uri: wanted.targetLinkUri,
        login_hint: wanted.personId,
        lti_message_hint: hint,
        client_id: tool.clientId,
        [traits.loginDeploymentName]: tool.deploymentId,
        ...traits.loginExtras,
        ...(traits.storageTarget !== null && { lti_storage_target: traits.storageTarget }),
      };
      return { method: traits.loginMethod, url: tool.initiateLoginUri, fields };
    },

    async authorize(request) {
      onlyMethod(request, 'GET', 'POST');
      const fields = request.method === 'GET' ? request.query : readForm(request);
      checkParameters(fields);
      const wanted = findWanted(fields);
      const action = single(fields, 'redirect_uri');
      if (!getTool(wanted.clientId).redirectUris.includes(action)) refuse('redirect_uri is not registered');
      const idToken = await sign(wanted, single(fields, 'nonce'));
      return { kind: 'form', action, fields: { id_token: idToken, state: single(fields, 'state') } };
    },
  };
}

const fixed: Readonly<Record<string, string>> = {
  response_type: 'id_token',
  response_mode: 'form_post',
  prompt: 'none',
};

function checkParameters(fields: URLSearchParams): void {
  for (const [name, value] of Object.entries(fixed)) {
    if (single(fields, name) !== value) refuse(`${name} must be ${value}`);
  }
  if (!single(fields, 'scope').split(' ').includes('openid')) refuse('scope must have openid');
  for (const name of ['state', 'nonce']) {
    const { length } = single(fields, name);
    if (length === 0 || length > MAX_PARAMETER_LENGTH) refuse(`${name} has ${length} characters`);
  }
}

import type { ProductTraits } from '../products/product.ts';
import { getToolAddresses, getToolIcon } from '../tool-addresses.ts';
import type { PlatformConfiguration } from './platform-configuration.ts';

export const DEEP_LINKING = 'LtiDeepLinkingRequest';
const RESOURCE_LINK = 'LtiResourceLinkRequest';
const AGS = 'https://purl.imsglobal.org/spec/lti-ags/scope';

/** What we ask platforms for: to take scores for our links, to say who is in a course, and to tell
 *  when one is copied. */
export const toolScopes = {
  scores: [`${AGS}/score`, `${AGS}/lineitem.readonly`, `${AGS}/lineitem`],
  members: ['https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly'],
  notices: ['https://purl.imsglobal.org/spec/lti/scope/noticehandlers'],
} as const;

/** Sent with every launch: the links and courses that its own were copied from. */
export const toolParameters = {
  context_history: '$Context.id.history',
  link_history: '$ResourceLink.id.history',
} as const;

export interface ToolRegistrationOptions {
  readonly configuration: PlatformConfiguration;
  readonly traits: ProductTraits;
  readonly publicUrl: string;
  /** Its name in the platform, what it does in one sentence, and the text of its buttons. */
  readonly words: { readonly name: string; readonly description: string; readonly label: string };
}

/** The tool as it registers itself, which asks for nothing that the platform does not have.
 *  Source: https://www.imsglobal.org/spec/lti-dr/v1p0, 3.6. */
export function describeTool(options: ToolRegistrationOptions) {
  const { configuration, traits, publicUrl, words } = options;
  const { login, launch, keys, domain } = getToolAddresses(publicUrl);
  return {
    application_type: 'web',
    response_types: ['id_token'],
    grant_types: ['client_credentials', 'implicit'],
    initiate_login_uri: login,
    redirect_uris: [launch],
    client_name: words.name,
    client_uri: publicUrl,
    logo_uri: getToolIcon(publicUrl, traits),
    // Moodle takes no keys in the registration itself.
    jwks_uri: keys,
    token_endpoint_auth_method: 'private_key_jwt',
    scope: listToolScopes(configuration).join(' '),
    'https://purl.imsglobal.org/spec/lti-tool-configuration': {
      domain,
      description: words.description,
      target_link_uri: launch,
      custom_parameters: toolParameters,
      claims: ['iss', 'sub', 'name', 'given_name', 'family_name'],
      messages: describeMessages(options, launch),
      ...traits.registration.toolExtras,
    },
  };
}

/** The scopes we want that the platform offers: unknown ones make some platforms refuse
 *  everything. */
export function listToolScopes({ scopes }: Pick<PlatformConfiguration, 'scopes'>): string[] {
  return Object.values(toolScopes)
    .flat()
    .filter((scope) => scopes.includes(scope));
}

/** Whether the platform sends messages of a type. One that lists no types sends both. */
export function sendsToolMessage({ messages }: PlatformConfiguration, type: string): boolean {
  return messages.length === 0 || messages.some((message) => message.type === type);
}

function describeMessages({ configuration, traits, words }: ToolRegistrationOptions, target: string) {
  const { placements, messageExtras } = traits.registration;
  const ours = [
    [DEEP_LINKING, placements.deepLinking],
    [RESOURCE_LINK, placements.resourceLink],
  ] as const;
  return ours.flatMap(([type, wanted]) => {
    if (wanted === null || !sendsToolMessage(configuration, type)) return [];
    const places = listOfferedPlacements(configuration, type, wanted);
    return {
      type,
      target_link_uri: target,
      label: words.label,
      ...(places.length > 0 && { placements: places }),
      ...messageExtras,
    };
  });
}

/** The placements of `wanted` that the platform has; it may write an address before their names.
 *  All, where it lists none. */
function listOfferedPlacements(
  { messages }: PlatformConfiguration,
  type: string,
  wanted: readonly string[],
): readonly string[] {
  const offered = messages.find((message) => message.type === type)?.placements ?? null;
  if (offered === null) return wanted;
  const names = new Set(offered.map((name) => name.slice(name.lastIndexOf('/') + 1)));
  return wanted.filter((name) => names.has(name));
}

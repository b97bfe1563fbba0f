import { getProductTraits, type ProductTraits } from '#domain/lti/products';
import type { PlatformConfiguration } from '#ports/lti-platforms';
import type { Translate } from '../../words/i18n.ts';
import { getToolAddresses, getToolIcon } from '../tool-addresses.ts';

export const DEEP_LINKING = 'LtiDeepLinkingRequest';
const RESOURCE_LINK = 'LtiResourceLinkRequest';
const AGS = 'https://purl.imsglobal.org/spec/lti-ags/scope';

export const toolScopes = {
  scores: [`${AGS}/score`, `${AGS}/lineitem.readonly`, `${AGS}/lineitem`, `${AGS}/result.readonly`],
  members: ['https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly'],
  groups: ['https://purl.imsglobal.org/spec/lti-gs/scope/contextgroup.readonly'],
  notices: ['https://purl.imsglobal.org/spec/lti/scope/noticehandlers'],
} as const;

/** Parameters of every launch: the links and courses from which its link and course were copied. */
const toolParameters = {
  context_history: '$Context.id.history',
  link_history: '$ResourceLink.id.history',
} as const;

interface ToolRegistrationOptions {
  readonly configuration: PlatformConfiguration;
  readonly traits: ProductTraits;
  readonly publicUrl: string;
  readonly words: { readonly name: string; readonly description: string; readonly label: string };
}

/** Describes the tool with what a platform offers (Dynamic Registration 1.0 §3.6). */
export function describeToolRegistration(options: ToolRegistrationOptions) {
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
    // Moodle does not read keys in the registration itself.
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

/** Lists the scopes that the platform offers, as some refuse a registration with unknown scopes. */
export function listToolScopes({ scopes }: Pick<PlatformConfiguration, 'scopes'>): string[] {
  return Object.values(toolScopes)
    .flat()
    .filter((scope) => scopes.includes(scope));
}

/** Tells whether the platform sends messages of a type. One that lists no types sends all. */
export const sendsToolMessage = ({ messages }: PlatformConfiguration, type: string): boolean =>
  messages.length === 0 || messages.some((message) => message.type === type);

function describeMessages({ configuration, traits, words }: ToolRegistrationOptions, target: string) {
  const { placements, messageExtras } = traits.registration;
  const messages = [
    [DEEP_LINKING, placements.deepLinking],
    [RESOURCE_LINK, placements.resourceLink],
  ] as const;
  return messages.flatMap(([type, wanted]) => {
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

/** Lists the wanted placements that the platform offers, perhaps with a prefix; all by default. */
function listOfferedPlacements({ messages }: PlatformConfiguration, type: string, placements: readonly string[]) {
  const offered = messages.find((message) => message.type === type)?.placements ?? null;
  if (offered === null) return placements;
  const names = new Set(offered.map((name) => name.slice(name.lastIndexOf('/') + 1)));
  return placements.filter((name) => names.has(name));
}

/** Size of the picker's frame in pixels. */
const SELECTION = { selection_width: 900, selection_height: 700 } as const;

/** Describes the tool for a developer key of Canvas.
 *  https://canvas.instructure.com/doc/api/file.lti_dev_key_config.html */
export function describeToolForCanvas(publicUrl: string, t: Translate) {
  const { login, launch, keys, domain } = getToolAddresses(publicUrl);
  const traits = getProductTraits('canvas');
  const icon = getToolIcon(publicUrl, traits);
  const text = t('register.tool.label');
  const placements = traits.registration.placements.deepLinking.map((placement) => ({
    placement,
    enabled: true,
    message_type: DEEP_LINKING,
    target_link_uri: launch,
    text,
    icon_url: icon,
    ...SELECTION,
  }));
  return {
    title: 'Skilldock',
    description: t('register.tool.description'),
    oidc_initiation_url: login,
    target_link_uri: launch,
    redirect_uris: [launch],
    public_jwk_url: keys,
    // Canvas has no groups service, and refuses unknown scopes.
    scopes: Object.entries(toolScopes).flatMap(([name, scopes]) => (name === 'groups' ? [] : scopes)),
    custom_fields: toolParameters,
    extensions: [
      {
        platform: 'canvas.instructure.com',
        domain,
        tool_id: 'skilldock',
        privacy_level: 'name_only',
        settings: { text, icon_url: icon, ...SELECTION, placements },
      },
    ],
  };
}

import type { Translate } from '#faces/words/i18n';
import { getProductTraits } from '../products/products.ts';
import { getToolAddresses, getToolIcon } from '../tool-addresses.ts';
import { DEEP_LINKING, toolParameters, toolScopes } from './tool-registration.ts';

/** Of the picker's frame, in pixels. */
const SELECTION = { selection_width: 900, selection_height: 700 } as const;

/** The tool for the Developer Keys of Canvas, by its address or pasted.
 *  Source: https://canvas.instructure.com/doc/api/file.lti_dev_key_config.html */
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
    scopes: Object.values(toolScopes).flat(),
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

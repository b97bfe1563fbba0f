import { randomUUID } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import type { DeepLinkingSettings, Launch } from '#domain/lti/launch';
import type { Placement } from '#domain/lti/placement';
import { CONTEXT_HISTORY_PARAMETER, LINK_HISTORY_PARAMETER, PLACEMENT_PARAMETER } from '#domain/lti/placement';
import type { PictureLinks } from '#domain/picture';
import { findSitePictureSource } from '#domain/sites/sites';
import { toOneLine } from '#domain/text';
import type { SigningKey } from '#services/courses/lti-registrations/signing-keys';
import { escapeHtml } from '../../views.ts';
import type { ChoiceRequest, ChoiceRules } from './choice-rules.ts';

/** A deep-linking response: the answer to a deep-linking request, once.
 *  1. The picker posts what was chosen.
 *  2. It is signed as a JWT for the platform (`aud` is its issuer, `iss` our client id there).
 *  3. A page posts the JWT to the return address of the request, in the frame or window of the
 *     picker.
 *  4. The platform makes links of the items; an empty list cancels the request.
 *  https://www.imsglobal.org/spec/lti-dl/v2p0#deep-linking-response-message */
interface DeepLinkingResponse {
  readonly launch: Launch;
  readonly settings: DeepLinkingSettings;
  readonly items: readonly ContentItem[];
  readonly message: string | null;
}

const LTI = 'https://purl.imsglobal.org/spec/lti/claim';
const DEEP_LINKING = 'https://purl.imsglobal.org/spec/lti-dl/claim';

/** Seconds by which `iat` is early: clocks differ, and platforms refuse a time in the future. */
const BACK_SECONDS = 30;
/** Long enough for platforms that have people sign in before they read the response. */
const TTL_SECONDS = 300;

export async function signDeepLinkingResponse(
  { launch, settings, items, message }: DeepLinkingResponse,
  { keyId, privateKey }: SigningKey,
  now: Date,
): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1_000);
  const claims = {
    nonce: randomUUID(),
    [`${LTI}/deployment_id`]: launch.deploymentId,
    [`${LTI}/message_type`]: 'LtiDeepLinkingResponse',
    [`${LTI}/version`]: '1.3.0',
    [`${DEEP_LINKING}/content_items`]: items,
    ...(settings.data !== null && { [`${DEEP_LINKING}/data`]: settings.data }),
    ...(message !== null && { [`${DEEP_LINKING}/msg`]: message }),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keyId })
    .setIssuer(launch.clientId)
    .setAudience(launch.issuer)
    .setIssuedAt(seconds - BACK_SECONDS)
    .setExpirationTime(seconds + TTL_SECONDS)
    .setJti(randomUUID())
    .sign(await importPKCS8(privateKey, 'RS256'));
}

/** A content item. https://www.imsglobal.org/spec/lti-dl/v2p0#content-item-types */
export type ContentItem = Readonly<Record<string, unknown>> & { readonly type: string; readonly title: string };

type PlacedChoice = { readonly placement: Placement; readonly choice: ChoiceRequest };

/** Limit for descriptions in characters, as platforms show them above the object or in a list. */
const MAX_TEXT_LENGTH = 500;
/** Initial size in pixels; the pages later ask for the height that they need. */
const FRAME_SIZE = { width: 800, height: 600 };

interface ItemAddresses {
  readonly launch: string;
  readonly icon: string;
  readonly pictures: Pick<PictureLinks, 'linkTo'>;
}

export function toDeepLinkingItem(
  placed: PlacedChoice,
  { itemType }: Pick<ChoiceRules, 'itemType'>,
  addresses: ItemAddresses,
): ContentItem {
  if (itemType === 'html') return toDeepLinkingHtmlItem(placed.placement);
  if (itemType === 'link')
    return {
      type: 'link',
      url: placed.placement.object.url,
      ...describeDeepLinkingItem(placed.placement),
      ...toDeepLinkingThumbnail(placed.placement, addresses.pictures),
    };
  return toResourceLinkItem(placed, addresses);
}

/** Identifies the placement by `custom`, as some platforms refuse an address with a query. */
function toResourceLinkItem(
  { placement, choice }: PlacedChoice,
  { launch, icon, pictures }: ItemAddresses,
): ContentItem {
  const { availableFrom, availableUntil, submitUntil, target } = choice;
  return {
    type: 'ltiResourceLink',
    url: launch,
    ...describeDeepLinkingItem(placement),
    ...toDeepLinkingThumbnail(placement, pictures),
    // Platforms use https, and browsers do not show pictures from http there.
    ...(icon.startsWith('https://') && { icon: { url: icon } }),
    custom: {
      [PLACEMENT_PARAMETER]: placement.id,
      [CONTEXT_HISTORY_PARAMETER]: '$Context.id.history',
      [LINK_HISTORY_PARAMETER]: '$ResourceLink.id.history',
    },
    ...(placement.points !== null && {
      lineItem: {
        scoreMaximum: placement.points,
        label: placement.title,
        resourceId: placement.id,
        tag: 'completion',
      },
    }),
    ...toDeepLinkingPeriod('available', availableFrom, availableUntil),
    ...toDeepLinkingPeriod('submission', null, submitUntil),
    ...(target === 'iframe' && { iframe: FRAME_SIZE }),
    ...(target === 'window' && { window: { targetName: '_blank' } }),
  };
}

function toDeepLinkingPeriod(name: 'available' | 'submission', from: Date | null, until: Date | null) {
  if (from === null && until === null) return {};
  const startDateTime = from?.toISOString();
  const endDateTime = until?.toISOString();
  return { [name]: { ...(startDateTime && { startDateTime }), ...(endDateTime && { endDateTime }) } };
}

function toDeepLinkingHtmlItem(placement: Placement): ContentItem {
  const { title, text } = describeDeepLinkingItem(placement);
  const link = `<a href="${escapeHtml(placement.object.url)}" target="_blank" rel="noopener">${escapeHtml(title)}</a>`;
  const html = `<p>${link}</p>${text === undefined ? '' : `<p>${escapeHtml(text)}</p>`}`;
  return { type: 'html', title, html };
}

const describeDeepLinkingItem = ({ title, object: { description } }: Placement) => ({
  title,
  ...(description && { text: shortenDeepLinkingText(description) }),
});

/** Links to a picture on this host, so that its site does not see who opens the course. */
function toDeepLinkingThumbnail({ object }: Placement, { linkTo }: ItemAddresses['pictures']) {
  const source = findSitePictureSource(object);
  const picture = source === null ? null : linkTo(source);
  return picture === null ? {} : { thumbnail: { url: picture.plain } };
}

function shortenDeepLinkingText(text: string): string {
  const characters = [...toOneLine(text)];
  return characters.length <= MAX_TEXT_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_TEXT_LENGTH - 1).join('')}…`;
}

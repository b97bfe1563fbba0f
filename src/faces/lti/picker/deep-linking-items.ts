import {
  CONTEXT_HISTORY_PARAMETER,
  LINK_HISTORY_PARAMETER,
  PLACEMENT_PARAMETER,
  type Placement,
} from '#domain/lti/placement';
import type { PictureLinks } from '#domain/picture';
import { findPictureSource } from '#domain/sites/sites';
import type { ChoiceRequest } from './choice-request.ts';
import type { ChoiceRules } from './choice-rules.ts';

/** A content item of Deep Linking 2.0. Source:
 *  https://www.imsglobal.org/spec/lti-dl/v2p0#content-item-types */
export type ContentItem = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly title: string;
};

/** What was chosen, and what is kept of it. */
export interface PlacedChoice {
  readonly placement: Placement;
  readonly choice: ChoiceRequest;
}

/** Characters of an item's description: platforms show it above the object or in a list. */
const MAX_TEXT_LENGTH = 500;
/** Pixels; for platforms that want to know. Our pages ask for the height they need. */
const FRAME_SIZE = { width: 800, height: 600 };

/** Addresses that an item has of the tool. */
export interface ItemAddresses {
  readonly launch: string;
  readonly icon: string;
  /** As platforms fetch them. */
  readonly pictures: Pick<PictureLinks, 'linkTo'>;
}

export function toContentItem(
  placed: PlacedChoice,
  { itemType }: Pick<ChoiceRules, 'itemType'>,
  addresses: ItemAddresses,
): ContentItem {
  if (itemType === 'html') return toHtml(placed.placement);
  if (itemType === 'link') return toLink(placed.placement, addresses);
  return toResourceLink(placed, addresses);
}

/** Some platforms take no address with a query: what tells items apart is in `custom`. */
function toResourceLink(
  { placement, choice }: PlacedChoice,
  { launch, icon, pictures }: ItemAddresses,
): ContentItem {
  const { availableFrom, availableUntil, submitUntil, target } = choice;
  return {
    type: 'ltiResourceLink',
    url: launch,
    ...describe(placement),
    ...showPicture(placement, pictures),
    // Platforms are on https, where browsers show no picture of http.
    ...(icon.startsWith('https://') && { icon: { url: icon } }),
    custom: {
      [PLACEMENT_PARAMETER]: placement.id,
      [CONTEXT_HISTORY_PARAMETER]: '$Context.id.history',
      [LINK_HISTORY_PARAMETER]: '$ResourceLink.id.history',
    },
    ...(placement.points !== null && { lineItem: toLineItem(placement, placement.points) }),
    ...period('available', availableFrom, availableUntil),
    ...period('submission', null, submitUntil),
    ...(target === 'iframe' && { iframe: FRAME_SIZE }),
    ...(target === 'window' && { window: { targetName: '_blank' } }),
  };
}

function toLineItem({ id, title }: Placement, scoreMaximum: number) {
  return { scoreMaximum, label: title, resourceId: id, tag: 'completion' };
}

function period(name: 'available' | 'submission', from: Date | null, until: Date | null) {
  if (from === null && until === null) return {};
  const startDateTime = from?.toISOString();
  const endDateTime = until?.toISOString();
  return { [name]: { ...(startDateTime && { startDateTime }), ...(endDateTime && { endDateTime }) } };
}

function toLink(placement: Placement, { pictures }: ItemAddresses): ContentItem {
  return {
    type: 'link',
    url: placement.object.url,
    ...describe(placement),
    ...showPicture(placement, pictures),
  };
}

function toHtml(placement: Placement): ContentItem {
  const { title, text } = describe(placement);
  const link = `<a href="${escapeHtml(placement.object.url)}" target="_blank" rel="noopener">${escapeHtml(title)}</a>`;
  const html = `<p>${link}</p>${text === undefined ? '' : `<p>${escapeHtml(text)}</p>`}`;
  return { type: 'html', title, html };
}

function describe({ title, object: { description } }: Placement): {
  readonly title: string;
  readonly text?: string;
} {
  return { title, ...(description && { text: cut(description) }) };
}

/** From this host, so that those who look at the course are not seen by whoever made the
 *  picture. */
function showPicture({ object }: Placement, { linkTo }: ItemAddresses['pictures']) {
  const source = findPictureSource(object);
  const picture = source === null ? null : linkTo(source);
  return picture === null ? {} : { thumbnail: { url: picture.plain } };
}

function cut(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()];
  return letters.length <= MAX_TEXT_LENGTH
    ? letters.join('')
    : `${letters.slice(0, MAX_TEXT_LENGTH - 1).join('')}…`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => entities[mark] ?? mark);
}

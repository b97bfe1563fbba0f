import { escapeXmlText } from '../xml.ts';
import type { ObjectView } from './object-view.ts';

type CoveredObject = Pick<ObjectView, 'kind' | 'provider' | 'title' | 'url' | 'field'>;

/** Shapes behind the monogram, in a box of 320 by 180 whose middle is always seen. */
const patterns: readonly string[] = [
  '<circle cx="300" cy="170" r="70"/><circle cx="300" cy="170" r="120"/><circle cx="300" cy="170" r="170"/>',
  '<path d="M-20 200 140-20h60L40 200zM110 200 270-20h60L170 200zM240 200 400-20h60L300 200z"/>',
  '<path d="M-10 130c60-50 110-50 170 0s110 50 170 0v70H-10z"/><path d="M-10 95c60-50 110-50 170 0s110 50 170 0v105H-10z"/>',
  '<circle cx="70" cy="20" r="95"/><circle cx="250" cy="150" r="95"/>',
  '<path d="M0 180 90 60l90 120zM110 180 220 30l110 150z"/>',
  '<rect x="20" y="96" width="52" height="104" rx="10"/><rect x="92" y="60" width="52" height="140" rx="10"/><rect x="164" y="112" width="52" height="90" rx="10"/><rect x="236" y="36" width="52" height="164" rx="10"/>',
  '<path d="M0 0h110v60H0zM110 60h100v60H110zM210 120h110v60H210zM210 0h110v60H210zM0 120h110v60H0z"/>',
  '<circle cx="160" cy="90" r="62"/><circle cx="160" cy="90" r="112"/><circle cx="160" cy="90" r="166"/>',
];

/** Draws a cover for an object without a picture, 16 by 9, as SVG that follows the colour scheme of
 *  its page: hue and initials of the provider, symbols of type and subject, and varying shapes.
 *  Screen readers ignore it, as it is decoration. */
export function drawCover({ kind, provider, title, url, field }: CoveredObject): string {
  const name = provider ?? title;
  const hue = findCoverHue(name);
  const choice = hashCoverText(url, patterns.length * 4);
  const pattern = patterns[choice >> 2] ?? '';
  const isFlippedX = (choice & 1) !== 0;
  const isFlippedY = (choice & 2) !== 0;
  const scale = `${isFlippedX ? -1 : 1} 0 0 ${isFlippedY ? -1 : 1}`;
  const flip = `matrix(${scale} ${isFlippedX ? 320 : 0} ${isFlippedY ? 180 : 0})`;
  return [
    `<svg class="cover" viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice" aria-hidden="true" color="light-dark(hsl(${hue} 55% 25%), hsl(${hue} 50% 82%))">`,
    `<path fill="light-dark(hsl(${hue} 48% 91%), hsl(${hue} 28% 18%))" d="M0 0h320v180H0z"/>`,
    `<g fill="currentcolor" fill-opacity=".07" transform="${flip}">${pattern}</g>`,
    `<text x="160" y="90" font-size="64" dominant-baseline="central" text-anchor="middle" fill="currentcolor">${escapeXmlText(findCoverInitials(name))}</text>`,
    drawCoverGlyph(`kind-${kind.replace(' ', '-')}`, 16),
    field === undefined ? '' : drawCoverGlyph(`subject-${field}`, 264),
    '</svg>',
  ].join('');
}

const drawCoverGlyph = (name: string, x: number): string =>
  `<use href="/assets/icons.svg#${name}" x="${x}" y="16" width="40" height="40" fill="none" stroke="currentcolor"/>`;

/** @example findCoverInitials('Khan Academy') // 'KA' */
export function findCoverInitials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const capitals = words.filter((word) => /^[\p{Lu}\p{N}]/u.test(word));
  const chosen = capitals.length > 0 ? capitals : words;
  if (chosen.length === 1) return chosen.join('').slice(0, 2);
  return chosen
    .slice(0, 3)
    .map((word) => word.slice(0, 1))
    .join('');
}

/** Returns a hue for a name, in degrees. */
export const findCoverHue = (name: string): number => hashCoverText(name, 360);

function hashCoverText(text: string, size: number): number {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % (size * 7919);
  return hash % size;
}

import type { Request, Response } from 'express';
import type { Provider } from '#domain/catalog';
import type { PictureLinks } from '#domain/picture';
import { AppError } from '#errors';
import { findCoverHue, findCoverInitials } from '../object-view/cover.ts';
import { chooseLogos } from '../object-view/logos.ts';
import { escapeXmlText } from '../xml.ts';
import type { HomeFaceDeps } from './deps.ts';

interface LogoOptions {
  readonly name: string;
  /** The colour scheme of the page; `both` for a drawing in a page, whose scheme it follows. */
  readonly colorScheme: 'dark' | 'light' | 'both';
  readonly aspectRatio: 'landscape' | 'square';
}

const HEIGHT = 64;
const LANDSCAPE_WIDTH = 240;
const PADDING = 14;

/** Mean width of a letter in bold sans-serif, as a share of the font size. */
const LETTER_WIDTH = 0.6;
const LINE_HEIGHT = 1.15;
const MAX_LINE = 14;
const SQUARE_FONT_SIZE = 26;
const landscapeFontSizes: Readonly<Record<number, number>> = { 1: 24, 2: 20 };

const variants: Readonly<Record<string, Omit<LogoOptions, 'name'>>> = {
  'dark-landscape.svg': { colorScheme: 'dark', aspectRatio: 'landscape' },
  'dark-square.svg': { colorScheme: 'dark', aspectRatio: 'square' },
  'light-landscape.svg': { colorScheme: 'light', aspectRatio: 'landscape' },
  'light-square.svg': { colorScheme: 'light', aspectRatio: 'square' },
};

/** Sends a logo of a provider of the built-in engine, which pages of any origin may show. */
export async function sendLogo(
  { params }: Request,
  response: Response,
  { listBuiltInProviders }: Pick<HomeFaceDeps, 'listBuiltInProviders'>,
): Promise<void> {
  const provider = (await listBuiltInProviders()).find(({ id }) => id === params.provider);
  const name = String(params.variant);
  const variant = Object.hasOwn(variants, name) ? variants[name] : undefined;
  if (provider === undefined || variant === undefined) {
    const message = 'There is no such logo. The provider list names the addresses of all logos.';
    throw new AppError('PATH_UNKNOWN', message);
  }
  response
    .type('image/svg+xml')
    .set({ 'Cache-Control': 'public, max-age=86400', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    .send(drawLogo({ name: provider.name, ...variant }));
}

/** Returns the logos of a provider for light and dark pages, or a drawing to embed in the page. */
export function toPageLogo({ id, name, logos }: Provider, pictures: PictureLinks) {
  const landscapeLogos = logos.filter(({ aspectRatio }) => aspectRatio === 'landscape');
  // A logo for light pages only is often unreadable on dark ones, where the name is shown instead.
  const isForBoth = new Set(landscapeLogos.map(({ colorScheme }) => colorScheme)).size === 2;
  const logo = isForBoth ? chooseLogos(landscapeLogos, 'landscape', pictures) : null;
  if (!logo?.light.startsWith('/logos/')) return { id, name, drawing: null, logo };
  // Embedded, as a page with a hundred logos would make as many requests.
  return { id, name, drawing: drawLogo({ name, colorScheme: 'both', aspectRatio: 'landscape' }), logo: null };
}

/** Draws a wordmark as SVG, alike for every provider, so that nobody's trademark is copied. */
export function drawLogo({ name, colorScheme, aspectRatio }: LogoOptions): string {
  const hue = findCoverHue(name);
  const choose = (light: string, dark: string) => ({ light, dark, both: `light-dark(${light}, ${dark})` })[colorScheme];
  const ink = choose(`hsl(${hue} 65% 28%)`, `hsl(${hue} 70% 80%)`);
  const ground = choose(`hsl(${hue} 55% 94%)`, `hsl(${hue} 30% 16%)`);
  const isSquare = aspectRatio === 'square';
  const width = isSquare ? HEIGHT : LANDSCAPE_WIDTH;
  const lines = isSquare ? [findCoverInitials(name)] : splitProviderName(name);
  const longest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(
    isSquare ? SQUARE_FONT_SIZE : (landscapeFontSizes[lines.length] ?? SQUARE_FONT_SIZE),
    (width - 2 * PADDING) / (longest * LETTER_WIDTH),
  );
  const top = HEIGHT / 2 - ((lines.length - 1) * size * LINE_HEIGHT) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" role="img" aria-label="${escapeXmlText(name)}">`,
    `<rect width="${width}" height="${HEIGHT}" rx="12" fill="${ground}"/>`,
    `<g dominant-baseline="central" text-anchor="middle" font-family="system-ui, sans-serif" font-weight="700" font-size="${size.toFixed(1)}" fill="${ink}">`,
    ...lines.map(
      (line, index) =>
        `<text x="50%" y="${(top + index * size * LINE_HEIGHT).toFixed(1)}">${escapeXmlText(line)}</text>`,
    ),
    '</g></svg>',
  ].join('');
}

/** Splits a long name into two lines, at the blank that is nearest to its middle. */
function splitProviderName(name: string): string[] {
  if (name.length <= MAX_LINE) return [name];
  const distanceToMiddle = (index: number) => Math.abs(index - name.length / 2);
  const blanks = [...name.matchAll(/ /g)].map(({ index }) => index);
  const [middle] = blanks.sort((a, b) => distanceToMiddle(a) - distanceToMiddle(b));
  return middle === undefined ? [name] : [name.slice(0, middle), name.slice(middle + 1)];
}

import type { Request, Response } from 'express';
import { AppError } from '#errors';
import { escapeCoverXml, findCoverHue, findCoverInitials } from '../object-view/cover.ts';
import type { HomeFaceDeps } from './deps.ts';

interface LogoOptions {
  readonly name: string;
  /** The background it suits; both where it is part of a page, whose colours it follows. */
  readonly colorScheme: 'dark' | 'light' | 'both';
  readonly aspectRatio: 'landscape' | 'square';
}

const HEIGHT = 64;
const LANDSCAPE_WIDTH = 240;
const PADDING = 14;

/** Mean width of a letter of the bold sans-serif used, in parts of the font size. */
const LETTER_WIDTH = 0.6;
const LINE_HEIGHT = 1.15;
const MAX_LINE = 14;
const SQUARE_SIZE = 26;
const MAX_SIZE: Readonly<Record<number, number>> = { 1: 24, 2: 20 };
type Variant = Omit<LogoOptions, 'name'>;

const variants: ReadonlyMap<string, Variant> = new Map(
  (['dark', 'light'] as const).flatMap((colorScheme) =>
    (['landscape', 'square'] as const).map((aspectRatio): [string, Variant] => [
      `${colorScheme}-${aspectRatio}.svg`,
      { colorScheme, aspectRatio },
    ]),
  ),
);

/** One of the four logos of each provider of our own engine. Pages of any origin may show them. */
export async function sendLogo(
  { params }: Request,
  response: Response,
  { ownProviders }: Pick<HomeFaceDeps, 'ownProviders'>,
): Promise<void> {
  const provider = (await ownProviders()).find(({ id }) => id === params.provider);
  const variant = variants.get(String(params.variant));
  if (provider === undefined || variant === undefined) {
    const message = 'There is no such logo. The provider list names the addresses of all logos.';
    throw new AppError('PATH_UNKNOWN', message);
  }
  response
    .type('image/svg+xml')
    .set({ 'Cache-Control': 'public, max-age=86400', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    .send(drawLogo({ name: provider.name, ...variant }));
}

/** A wordmark as SVG, drawn alike for every provider, so nobody's trademark is copied. */
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
    isSquare ? SQUARE_SIZE : (MAX_SIZE[lines.length] ?? SQUARE_SIZE),
    (width - 2 * PADDING) / (longest * LETTER_WIDTH),
  );
  const top = HEIGHT / 2 - ((lines.length - 1) * size * LINE_HEIGHT) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" role="img" aria-label="${escapeCoverXml(name)}">`,
    `<rect width="${width}" height="${HEIGHT}" rx="12" fill="${ground}"/>`,
    `<g dominant-baseline="central" text-anchor="middle" font-family="system-ui, sans-serif" font-weight="700" font-size="${size.toFixed(1)}" fill="${ink}">`,
    ...lines.map(
      (line, i) => `<text x="50%" y="${(top + i * size * LINE_HEIGHT).toFixed(1)}">${escapeCoverXml(line)}</text>`,
    ),
    '</g></svg>',
  ].join('');
}

function splitProviderName(name: string): string[] {
  if (name.length <= MAX_LINE) return [name];
  const spaces = [...name.matchAll(/ /g)].map(({ index }) => index);
  if (spaces.length === 0) return [name];
  const middle = spaces.reduce((a, b) => (Math.abs(b - name.length / 2) < Math.abs(a - name.length / 2) ? b : a));
  return [name.slice(0, middle), name.slice(middle + 1)];
}

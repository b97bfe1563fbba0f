export interface LogoOptions {
  readonly name: string;
  /** The background it suits. */
  readonly colorScheme: 'dark' | 'light';
  readonly aspectRatio: 'landscape' | 'square';
}

const HEIGHT = 64;
const LANDSCAPE_WIDTH = 240;
const PADDING = 14;
/** Mean width of a letter of the bold sans-serif used, in parts of the font size. */
const LETTER_WIDTH = 0.6;

/** A neutral wordmark as SVG: the provider's name (or its initials in a square) in a colour made from the name. Drawn by
 *  us for every provider alike, so nobody's trademark is copied. */
export function drawLogo({ name, colorScheme, aspectRatio }: LogoOptions): string {
  const hue = hueOf(name);
  const ink = colorScheme === 'dark' ? `hsl(${hue} 70% 80%)` : `hsl(${hue} 65% 28%)`;
  const ground = colorScheme === 'dark' ? `hsl(${hue} 30% 16%)` : `hsl(${hue} 55% 94%)`;
  const isSquare = aspectRatio === 'square';
  const width = isSquare ? HEIGHT : LANDSCAPE_WIDTH;
  const text = isSquare ? initialsOf(name) : name;
  const size = Math.min(isSquare ? 26 : 24, (width - 2 * PADDING) / (text.length * LETTER_WIDTH));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" role="img" aria-label="${escapeXml(name)}">`,
    `<rect width="${width}" height="${HEIGHT}" rx="12" fill="${ground}"/>`,
    `<text x="50%" y="50%" dominant-baseline="central" text-anchor="middle" font-family="system-ui, sans-serif" font-weight="700" font-size="${size.toFixed(1)}" fill="${ink}">${escapeXml(text)}</text>`,
    '</svg>',
  ].join('');
}

function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const capitals = words.filter((word) => /^[\p{Lu}\p{N}]/u.test(word));
  const chosen = capitals.length > 0 ? capitals : words;
  if (chosen.length === 1) return chosen[0]!.slice(0, 2);
  return chosen
    .slice(0, 3)
    .map((word) => word.slice(0, 1))
    .join('');
}

function hueOf(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 360;
  return hash;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

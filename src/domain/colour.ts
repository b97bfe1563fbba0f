const HEX = /^#[0-9a-f]{6}$/;
export const WHITE = '#ffffff';
export const BLACK = '#000000';

/** Returns `#rrggbb` in lower case; null if the text is not such a colour. The # may be missing.
 *  @example readColour('0A58CA') // '#0a58ca' */
export function readColour(text: string): string | null {
  const colour = `#${text.trim().toLowerCase().replace(/^#/, '')}`;
  return HEX.test(colour) ? colour : null;
}

/** Returns a contrast of 1 to 21; text needs 4.5. Source: WCAG 2.2, "contrast ratio". */
export function measureColourContrast(a: string, b: string): number {
  const [light, dark] = [measureLuminance(a), measureLuminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the text colour of higher contrast, which is at least 4.58 on any background. */
export function pickTextColour(ground: string): typeof WHITE | typeof BLACK {
  return measureColourContrast(WHITE, ground) >= measureColourContrast(BLACK, ground) ? WHITE : BLACK;
}

const READABLE = 4.5;
const STEP = 0.05;

/** Returns the colour, or the nearest one towards black or white that is readable on the
 *  background.
 *  @example toReadableColour('#ffcc00', '#ffffff') // '#8c7000' */
export function toReadableColour(colour: string, ground: string): string {
  const end = pickTextColour(ground);
  for (let share = 0; share < 1; share += STEP) {
    const mixed = mixColours(colour, end, share);
    if (measureColourContrast(mixed, ground) >= READABLE) return mixed;
  }
  return end;
}

function mixColours(from: string, to: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [a, b] = [from, to].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number];
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/** Returns the relative luminance, 0 to 1 (WCAG 2.2). */
function measureLuminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

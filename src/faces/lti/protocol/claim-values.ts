import { z } from 'zod';

/** Variables that the platform did not fill in arrive as they are: `$Context.id.history`. */
const UNFILLED = /^\$[A-Za-z][\w.]*$/;

const MAX_ENTRIES = 100;

const MAX_KEY = 200;

/** A course that was copied many times has a long history. */
const MAX_VALUE = 8_000;

const MAX_ADDRESS = 4_000;

/** Text that identifies something: it is taken as it is, or not at all. */
export const createIdentifierClaim = (max: number) => z.string().min(1).max(max);

/** Text for people, cut where it is too long, without characters that turn around or hide what stands beside it. */
export const createLineClaim = (max: number) =>
  z.string().transform((text) => cut(text.replace(/[\p{C}\s]+/gu, ' ').trim(), max));

/** Null where there is no usable text. */
export const createOptionalLineClaim = (max: number) => orNull(createLineClaim(max));

export const createParagraphClaim = (max: number) =>
  orNull(z.string().transform((text) => cut(text.replace(/[^\P{C}\n\t]+/gu, '').trim(), max)));

export const webAddress = z.string().max(MAX_ADDRESS).refine(isWebAddress, 'must be an address of the web');

export const optionalAddress = webAddress.nullish().catch(null);

/** A list of texts; other values are left out. */
export const createListClaim = (max: number) =>
  z
    .array(z.unknown())
    .catch([])
    .transform(
      (values) => values.filter((value) => typeof value === 'string' && value.length <= max) as string[],
    );

/** Some platforms write it as text. Null where they do not say. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
  .nullish()
  .catch(null);

function orNull(text: z.ZodType<string>) {
  return text
    .nullish()
    .catch(null)
    .transform((value) => (value === undefined || value === '' ? null : value));
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Cuts a text, but never in the middle of a character. */
function cut(text: string, max: number): string {
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

/** Custom parameters that have a value, which may be empty: a variable can be so, too. */
export function readCustomClaimValues(claim: unknown): Readonly<Record<string, string>> {
  if (typeof claim !== 'object' || claim === null || Array.isArray(claim)) return {};
  const entries = Object.entries(claim)
    .slice(0, MAX_ENTRIES)
    .map(([key, value]): [string, string] => [key, typeof value === 'number' ? String(value) : value])
    .filter(([key, value]) => key.length <= MAX_KEY && isFilled(value));
  return Object.fromEntries(entries);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_VALUE && !UNFILLED.test(value.trim());
}

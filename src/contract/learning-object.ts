import { z } from 'zod';
import type { LearningObject, LearningTime, Price } from '#domain/learning-object';
import { type FactName, type ObjectFacts, pickFacts } from '#domain/object-facts';
import {
  acceptedEntries,
  acceptedName,
  acceptedNumber,
  acceptedOrAbsent,
  acceptedText,
  acceptedTextUpTo,
} from './accepted.ts';
import { acceptedFacts, factFields } from './object-facts.ts';
import { described, extension, webAddress } from './shared.ts';

const CONTEXT = 'https://schema.org';

const MAX_TITLE_LENGTH = 500;

const priceSpecification = z.looseObject({
  '@context': z.string().exactOptional(),
  '@type': z.string().exactOptional(),
  price: z.number().exactOptional().meta({ description: 'Price of the offer' }),
  priceCurrency: described(z.string().exactOptional(), 'Currency symbol', '€'),
  'price-free': described(
    z.boolean().exactOptional(),
    'Whether it can be used without paying; a paid version may stand beside it',
  ),
});

const texts = z.array(z.string()).exactOptional();

export const learningObject = z.looseObject({
  title: z.string(),
  url: webAddress,
  description: z.string().exactOptional(),
  picture: z.string().exactOptional().meta({ description: 'Address of a thumbnail' }),
  embed: z
    .string()
    .exactOptional()
    .meta({ ...extension, description: 'Address of a page or player for frames, where one is known' }),
  provider: z.string().exactOptional().meta({ description: 'Display name of the provider' }),
  bloom: texts.meta({ examples: [['Understand']] }),
  type: described(texts, 'Types in upper case', ['MOOC']),
  level: z.number().exactOptional().meta({ description: 'From -1 (beginner) to 1 (advanced)' }),
  lang: z.string().exactOptional().meta({ description: 'Two-letter language code' }),
  learningTimeValue: z.number().exactOptional().meta({ description: 'Length in `learningTimeUnit`' }),
  learningTimeUnit: described(z.string().exactOptional(), '`h` or `min`', 'min'),
  address: z.string().exactOptional().meta({ description: 'Postal address where it takes place' }),
  publisher: described(texts, 'Organizations offering or selling it'),
  author: described(texts, 'People who made it'),
  PriceSpecification: priceSpecification.exactOptional(),
  ...factFields,
});

/** The specification leaves open whether these arrays hold names, or objects with a name. */
const named = z.union([z.string(), z.looseObject({ name: z.string() })]);

const acceptedPrice = z.looseObject({
  price: acceptedOrAbsent(acceptedNumber),
  priceCurrency: acceptedOrAbsent(acceptedName),
  'price-free': acceptedOrAbsent(z.boolean()),
});
const acceptedPeople = acceptedEntries(
  named.transform((given) => (typeof given === 'string' ? given : given.name)).pipe(acceptedName),
);

/** Only title and address are required; other invalid fields count as absent. */
export const acceptedLearningObject = z.looseObject({
  title: acceptedTextUpTo(MAX_TITLE_LENGTH).refine((title) => title.trim() !== '', 'expected a title'),
  url: webAddress,
  description: acceptedOrAbsent(acceptedText),
  picture: acceptedOrAbsent(webAddress),
  embed: acceptedOrAbsent(webAddress),
  provider: acceptedOrAbsent(acceptedName),
  bloom: acceptedEntries(acceptedName),
  type: acceptedEntries(acceptedName),
  level: acceptedOrAbsent(acceptedNumber),
  lang: acceptedOrAbsent(acceptedName),
  learningTimeValue: acceptedOrAbsent(acceptedNumber),
  learningTimeUnit: acceptedOrAbsent(z.enum(['h', 'min'])),
  address: acceptedOrAbsent(acceptedName),
  publisher: acceptedPeople,
  author: acceptedPeople,
  PriceSpecification: acceptedOrAbsent(acceptedPrice),
  ...acceptedFacts,
});

type WireObject = z.input<typeof learningObject>;

/** A service may return the same object in many searches; its JSON is written once. */
const written = new WeakMap<LearningObject, string>();

export function stringifyLearningObject(object: LearningObject): string {
  let text = written.get(object);
  if (text === undefined) {
    text = JSON.stringify(writeLearningObject(object));
    written.set(object, text);
  }
  return text;
}

export function writeLearningObject(object: LearningObject): WireObject {
  const { title, url, description, picture, embed, provider, bloom, type, level, lang, address } = object;
  return {
    title,
    url,
    ...(description !== undefined && { description }),
    ...(picture !== undefined && { picture }),
    ...(embed !== undefined && { embed }),
    ...(provider !== undefined && { provider }),
    bloom: [...bloom],
    type: type.map((name) => name.toUpperCase()),
    ...(level !== undefined && { level }),
    ...(lang !== undefined && { lang }),
    ...writeLearningTime(object.learningTime),
    ...(address !== undefined && { address }),
    publisher: [...object.publisher],
    author: [...object.author],
    ...(object.price !== undefined && { PriceSpecification: writePrice(object.price) }),
    ...(pickFacts(object) as Pick<WireObject, FactName>),
  };
}

function writeLearningTime(time: LearningTime | undefined): Pick<WireObject, 'learningTimeValue' | 'learningTimeUnit'> {
  return time === undefined ? {} : { learningTimeValue: time.value, learningTimeUnit: time.unit };
}

function writePrice({ amount, currency, free }: Price): WireObject['PriceSpecification'] & object {
  return {
    '@context': CONTEXT,
    '@type': 'PriceSpecification',
    ...(amount !== undefined && { price: amount }),
    ...(currency !== undefined && { priceCurrency: currency }),
    'price-free': free,
  };
}

/** Empty texts count as absent. */
export function readLearningObject(wire: z.output<typeof acceptedLearningObject>): LearningObject {
  const price = readPrice(wire.PriceSpecification);
  const { learningTimeValue: value, learningTimeUnit: unit } = wire;
  return {
    title: wire.title,
    url: wire.url,
    ...(wire.description && { description: wire.description }),
    ...(wire.picture && { picture: wire.picture }),
    ...(wire.embed && { embed: wire.embed }),
    ...(wire.provider && { provider: wire.provider }),
    bloom: wire.bloom,
    type: wire.type.map((name) => name.toLowerCase()),
    ...(wire.level !== undefined && { level: wire.level }),
    ...(wire.lang && { lang: wire.lang }),
    ...(value !== undefined && unit && { learningTime: { value, unit } }),
    ...(wire.address && { address: wire.address }),
    publisher: wire.publisher,
    author: wire.author,
    ...(price && { price }),
    ...pickFacts(wire as ObjectFacts),
  };
}

/** Without `price-free`, only a price of 0 means free; without both, the price is unknown. */
function readPrice(wire: z.output<typeof acceptedPrice> | undefined): Price | undefined {
  const { price, priceCurrency } = wire ?? {};
  const free = wire?.['price-free'] ?? (price === undefined ? undefined : price === 0);
  if (free === undefined) return undefined;
  return {
    ...(price !== undefined && { amount: price }),
    ...(priceCurrency && { currency: priceCurrency }),
    free,
  };
}

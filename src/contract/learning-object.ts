import { z } from 'zod';
import type { LearningObject, Price } from '#domain/learning-object';
import type { FactName, ObjectFacts } from '#domain/object-facts';
import {
  CONCEPT_ID_PATTERN,
  DATE_PATTERN,
  factNames,
  factTextLimits,
  MAX_FACT_ENTRIES,
  objectFacts,
  pickFacts,
} from '#domain/object-facts';
import { omitUndefined } from '#domain/omit-undefined';
import { SPDX_PATTERN } from '#domain/rights/licences';
import {
  acceptedEntries,
  acceptedName,
  acceptedNumber,
  acceptedOrAbsent,
  acceptedText,
  acceptedTextUpTo,
} from './accepted.ts';
import { described, extension, webAddress } from './shared.ts';

const entry = z.string().trim().min(1).max(factTextLimits.entry);

const conceptId = z.string().regex(CONCEPT_ID_PATTERN, 'an address, or an id as digcomp:1.1').max(factTextLimits.entry);

const kinds = {
  license: z.union([webAddress, z.string().regex(SPDX_PATTERN, 'an SPDX identifier or an address')]),
  date: z.string().regex(DATE_PATTERN, 'YYYY, YYYY-MM or YYYY-MM-DD'),
  text: z.string().trim().min(1).max(factTextLimits.text),
  texts: z.array(entry).min(1).max(MAX_FACT_ENTRIES),
  concepts: z
    .array(
      z
        .strictObject({ uri: z.union([webAddress, conceptId]).exactOptional(), label: entry.exactOptional() })
        .refine(({ uri, label }) => uri !== undefined || label !== undefined, 'needs an address or a label'),
    )
    .max(MAX_FACT_ENTRIES),
} as const;

type SchemaOf<Name extends FactName> = (typeof kinds)[(typeof objectFacts)[Name]['kind']];

const mapFacts = <T>(make: (name: FactName) => T) =>
  Object.fromEntries(factNames.map((name) => [name, make(name)])) as Record<FactName, T>;

export const factSchemas = mapFacts((name) => kinds[objectFacts[name].kind].exactOptional()) as unknown as {
  [Name in FactName]: z.ZodExactOptional<SchemaOf<Name>>;
};

/** Facts in answers, marked as an extension. */
const factFields = mapFacts((name) =>
  factSchemas[name].meta({ description: objectFacts[name].about, examples: [readFactExample(name)], ...extension }),
) as unknown as typeof factSchemas;

/** Facts in answers of other services; an invalid one counts as absent. */
const acceptedFacts = mapFacts((name) => acceptedOrAbsent(kinds[objectFacts[name].kind])) as unknown as {
  [Name in FactName]: z.ZodCatch<z.ZodOptional<SchemaOf<Name>>>;
};

function readFactExample(name: FactName): unknown {
  const { kind, example } = objectFacts[name];
  if (kind === 'texts') return example.split(' | ');
  return kind === 'concepts' ? [{ label: example.replace(/ <.*/, ''), uri: example.replace(/.*<|>/g, '') }] : example;
}

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
  const { title, url, description, picture, embed, provider, bloom, level, lang, address, price } = object;
  return {
    ...omitUndefined({
      title,
      url,
      description,
      picture,
      embed,
      provider,
      bloom: [...bloom],
      type: object.type.map((name) => name.toUpperCase()),
      level,
      lang,
      learningTimeValue: object.learningTime?.value,
      learningTimeUnit: object.learningTime?.unit,
      address,
      publisher: [...object.publisher],
      author: [...object.author],
      PriceSpecification: price && writeLearningObjectPrice(price),
    }),
    ...(pickFacts(object) as Pick<WireObject, FactName>),
  };
}

const writeLearningObjectPrice = ({ amount, currency, free }: Price): z.input<typeof priceSpecification> => ({
  '@context': CONTEXT,
  '@type': 'PriceSpecification',
  ...omitUndefined({ price: amount, priceCurrency: currency }),
  'price-free': free,
});

/** Empty texts count as absent. */
export function readLearningObject(wire: z.output<typeof acceptedLearningObject>): LearningObject {
  const price = readLearningObjectPrice(wire.PriceSpecification);
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
function readLearningObjectPrice(wire: z.output<typeof acceptedPrice> | undefined): Price | undefined {
  const { price, priceCurrency } = wire ?? {};
  const free = wire?.['price-free'] ?? (price === undefined ? undefined : price === 0);
  if (free === undefined) return undefined;
  return {
    ...(price !== undefined && { amount: price }),
    ...(priceCurrency && { currency: priceCurrency }),
    free,
  };
}

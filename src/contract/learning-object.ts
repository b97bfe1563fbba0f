import { z } from 'zod';
import type { LearningObject, Price } from '../domain/learning-object.ts';

const CONTEXT = 'https://schema.org';

const priceSpecification = z.looseObject({
  '@context': z.string().exactOptional(),
  '@type': z.string().exactOptional(),
  price: z.number().exactOptional(),
  priceCurrency: z.string().exactOptional().meta({ description: 'Currency symbol', example: '€' }),
  'price-free': z.boolean().exactOptional().meta({ description: 'Whether it can be used without paying' }),
});

export const learningObject = z.looseObject({
  title: z.string(),
  url: z.string(),
  description: z.string().exactOptional(),
  picture: z.string().exactOptional().meta({ description: 'Thumbnail' }),
  provider: z.string().exactOptional().meta({ description: 'Display name of the provider' }),
  bloom: z.array(z.string()).exactOptional(),
  type: z
    .array(z.string())
    .exactOptional()
    .meta({ description: 'Types, in upper case', example: ['MOOC'] }),
  level: z.number().exactOptional().meta({ description: '-1 (beginner) to 1 (advanced)' }),
  lang: z.string().exactOptional(),
  learningTimeValue: z.number().exactOptional(),
  learningTimeUnit: z.string().exactOptional().meta({ description: '`h` or `min`' }),
  address: z.string().exactOptional(),
  publisher: z.array(z.string()).exactOptional(),
  author: z.array(z.string()).exactOptional(),
  PriceSpecification: priceSpecification.exactOptional(),
});
type Wire = z.output<typeof learningObject>;

/** Empty texts say no more than absent ones, so they are left out when read. */
export function readLearningObject(wire: Wire): LearningObject {
  const { description, picture, provider, level, lang, address, PriceSpecification } = wire;
  const learningTime = readLearningTime(wire);
  return {
    title: wire.title,
    url: wire.url,
    bloom: wire.bloom ?? [],
    type: (wire.type ?? []).map((type) => type.toLowerCase()),
    publisher: wire.publisher ?? [],
    author: wire.author ?? [],
    ...(description && { description }),
    ...(picture && { picture }),
    ...(provider && { provider }),
    ...(level !== undefined && { level }),
    ...(lang && { lang }),
    ...(learningTime && { learningTime }),
    ...(address && { address }),
    ...(PriceSpecification && { price: readPrice(PriceSpecification) }),
  };
}

export function writeLearningObject(object: LearningObject): z.input<typeof learningObject> {
  const {
    title,
    url,
    description,
    picture,
    provider,
    bloom,
    type,
    level,
    lang,
    learningTime,
    address,
    price,
  } = object;
  return {
    title,
    url,
    ...(description !== undefined && { description }),
    ...(picture !== undefined && { picture }),
    ...(provider !== undefined && { provider }),
    bloom: [...bloom],
    type: type.map((name) => name.toUpperCase()),
    ...(level !== undefined && { level }),
    ...(lang !== undefined && { lang }),
    ...(learningTime && { learningTimeValue: learningTime.value, learningTimeUnit: learningTime.unit }),
    ...(address !== undefined && { address }),
    publisher: [...object.publisher],
    author: [...object.author],
    ...(price && { PriceSpecification: writePrice(price) }),
  };
}

function readLearningTime({
  learningTimeValue: value,
  learningTimeUnit: unit,
}: Wire): LearningObject['learningTime'] {
  return value !== undefined && (unit === 'h' || unit === 'min') ? { value, unit } : undefined;
}

/** Without `price-free`, a price of zero is free and any other is not. */
function readPrice({ price, priceCurrency, 'price-free': free }: z.output<typeof priceSpecification>): Price {
  return {
    free: free ?? (price === undefined || price === 0),
    ...(price !== undefined && { amount: price }),
    ...(priceCurrency && { currency: priceCurrency }),
  };
}

function writePrice({ amount, currency, free }: Price): z.input<typeof priceSpecification> {
  return {
    '@context': CONTEXT,
    '@type': 'PriceSpecification',
    ...(amount !== undefined && { price: amount }),
    ...(currency !== undefined && { priceCurrency: currency }),
    'price-free': free,
  };
}

import { z } from 'zod';
import type { LearningObject, LearningTime, Price } from '../domain/learning-object.ts';
import { webAddress } from './shared.ts';

const CONTEXT = 'https://schema.org';

const priceSpecification = z.looseObject({
  '@context': z.string().exactOptional(),
  '@type': z.string().exactOptional(),
  price: z.number().exactOptional().meta({ description: 'Price of the offer' }),
  priceCurrency: z
    .string()
    .exactOptional()
    .meta({ description: 'Currency symbol', examples: ['€'] }),
  'price-free': z
    .boolean()
    .exactOptional()
    .meta({ description: 'Whether it can be used without paying; a paid version may stand beside it' }),
});

/** A learning object as we send it. */
export const learningObject = z.looseObject({
  title: z.string(),
  url: webAddress,
  description: z.string().exactOptional(),
  picture: z.string().exactOptional().meta({ description: 'Address of a thumbnail' }),
  provider: z.string().exactOptional().meta({ description: 'Display name of the provider' }),
  bloom: z
    .array(z.string())
    .exactOptional()
    .meta({ examples: [['Understand']] }),
  type: z
    .array(z.string())
    .exactOptional()
    .meta({ description: 'Types in upper case', examples: [['MOOC']] }),
  level: z.number().exactOptional().meta({ description: 'From -1 (beginner) to 1 (advanced)' }),
  lang: z.string().exactOptional().meta({ description: 'Two-letter language code' }),
  learningTimeValue: z.number().exactOptional().meta({ description: 'Length in `learningTimeUnit`' }),
  learningTimeUnit: z
    .string()
    .exactOptional()
    .meta({ description: '`h` or `min`', examples: ['min'] }),
  address: z.string().exactOptional().meta({ description: 'Postal address where it takes place' }),
  publisher: z
    .array(z.string())
    .exactOptional()
    .meta({ description: 'Organizations offering or selling it' }),
  author: z.array(z.string()).exactOptional().meta({ description: 'People who made it' }),
  PriceSpecification: priceSpecification.exactOptional(),
});

/** The specification does not say what the arrays of people and organizations hold: names, or objects that have one. */
const names = z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).exactOptional();
const oneOrMany = z.union([z.string(), z.array(z.string())]).exactOptional();

/** A learning object as we accept it. */
export const acceptedLearningObject = learningObject.extend({
  bloom: oneOrMany,
  type: oneOrMany,
  publisher: names,
  author: names,
});

const isName = (value: unknown) => names.safeParse([value]).success;
const specifiedNames = z
  .array(z.unknown().refine(isName, 'expected a name, or an object that has one'))
  .exactOptional();

/** A learning object as the specification has it. */
export const specifiedLearningObject = learningObject.extend({
  publisher: specifiedNames,
  author: specifiedNames,
});

type WireObject = z.input<typeof learningObject>;

/** A service may give the same object with every search it is found by; its wire form is made once. */
const written = new WeakMap<LearningObject, WireObject>();

export function writeLearningObject(object: LearningObject): WireObject {
  let wire = written.get(object);
  if (wire === undefined) {
    wire = toWire(object);
    written.set(object, wire);
  }
  return wire;
}

function toWire(object: LearningObject): WireObject {
  const { title, url, description, picture, provider, bloom, type, level, lang, address } = object;
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
    ...writeLearningTime(object.learningTime),
    ...(address !== undefined && { address }),
    publisher: [...object.publisher],
    author: [...object.author],
    ...(object.price !== undefined && { PriceSpecification: writePrice(object.price) }),
  };
}

function writeLearningTime(
  time: LearningTime | undefined,
): Pick<WireObject, 'learningTimeValue' | 'learningTimeUnit'> {
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

/** Empty texts count as absent; a length of an unknown unit and a thumbnail that is no web address are left out. */
export function readLearningObject(wire: z.output<typeof acceptedLearningObject>): LearningObject {
  const price = readPrice(wire.PriceSpecification);
  const learningTime = readLearningTime(wire.learningTimeValue, wire.learningTimeUnit);
  const hasPicture = webAddress.safeParse(wire.picture).success;
  return {
    title: wire.title,
    url: wire.url,
    ...(wire.description && { description: wire.description }),
    ...(hasPicture && { picture: wire.picture! }),
    ...(wire.provider && { provider: wire.provider }),
    bloom: toArray(wire.bloom),
    type: toArray(wire.type).map((name) => name.toLowerCase()),
    ...(wire.level !== undefined && { level: wire.level }),
    ...(wire.lang && { lang: wire.lang }),
    ...(learningTime && { learningTime }),
    ...(wire.address && { address: wire.address }),
    publisher: toNames(wire.publisher),
    author: toNames(wire.author),
    ...(price && { price }),
  };
}

function readLearningTime(value: number | undefined, unit: string | undefined): LearningTime | undefined {
  return value !== undefined && (unit === 'h' || unit === 'min') ? { value, unit } : undefined;
}

/** Without `price-free`, only a price of nothing is known to be free; without both, nothing is known. */
function readPrice(wire: z.output<typeof priceSpecification> | undefined): Price | undefined {
  const { price, priceCurrency } = wire ?? {};
  const free = wire?.['price-free'] ?? (price === undefined ? undefined : price === 0);
  if (free === undefined) return undefined;
  return {
    ...(price !== undefined && { amount: price }),
    ...(priceCurrency && { currency: priceCurrency }),
    free,
  };
}

function toArray(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}

function toNames(list: z.output<typeof names> = []): readonly string[] {
  return list.map((entry) => (typeof entry === 'string' ? entry : entry.name));
}

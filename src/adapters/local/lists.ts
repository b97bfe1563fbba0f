import type { ListEntry, Logo, Provider } from '#domain/catalog';
import type { BloomObjective, LearningObjectType } from '#domain/learning-object';
import { bloomObjectives, learningObjectTypes } from '#domain/learning-object';
import type { ProviderRecord } from '../catalog/catalog-schema.ts';

const typeDescriptions: Readonly<Record<LearningObjectType, string>> = {
  app: 'Interactive application or simulation to practise with',
  article: 'Text of a few pages on one subject',
  book: 'Printed book, or the page that presents it',
  'career profile': 'Description of an occupation: tasks, skills, training and prospects',
  'distance learning': 'Course followed at a distance, at one’s own pace',
  ebook: 'Book to read on a screen',
  mooc: 'Massive open online course',
  podcast: 'Audio programme, one episode or a series',
  'safety sheet': 'Sheet on a risk at work and how to prevent it',
  'serious game': 'Game made to learn something',
  training: 'Training given in person, at an address',
  tutorial: 'Step-by-step guide to do something',
  video: 'Video, or a channel or list of videos',
  website: 'Site with material on one subject',
};

const bloomDescriptions: Readonly<Record<BloomObjective, string>> = {
  Remember: 'Recall facts and basic concepts',
  Understand: 'Explain ideas or concepts',
  Apply: 'Use what was learnt in new situations',
  Analyze: 'Draw connections among ideas',
  Evaluate: 'Justify a judgement or decision',
  Create: 'Produce new or original work',
};

export const typeList: readonly ListEntry[] = learningObjectTypes.map((value) => ({
  value,
  description: typeDescriptions[value],
}));

export const bloomList: readonly ListEntry[] = bloomObjectives.map((value) => ({
  value,
  description: bloomDescriptions[value],
}));

/** The languages that objects of the catalogue have, by their English names. */
export function makeLanguageList(codes: Iterable<string>): ListEntry[] {
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  return [...new Set(codes)].sort().map((value) => ({ value, description: names.of(value) ?? value }));
}

export type ProviderLists = (providers: ReadonlyMap<string, ProviderRecord>) => readonly Provider[];

/** Most tenants have the same providers: written once for each set.
 *  @param drawn those of which this host draws logos, for everybody: names that one tenant gave are not for others */
export function createProviderLists(
  publicUrl: string,
  drawn: ReadonlyMap<string, ProviderRecord>,
): ProviderLists {
  const lists = new WeakMap<object, readonly Provider[]>();
  return (providers) => {
    const written = lists.get(providers);
    if (written !== undefined) return written;
    const list = Array.from(providers.values(), (record) =>
      toProvider(record, publicUrl, drawn.has(record.id)),
    );
    lists.set(providers, list);
    return list;
  };
}

function toProvider(
  { id, name, url, license }: ProviderRecord,
  publicUrl: string,
  hasLogos: boolean,
): Provider {
  return {
    id,
    name,
    logos: hasLogos ? listLogos(id, publicUrl) : [],
    url: url ?? `${publicUrl}/browse?provider=${id}`,
    ...(license !== undefined && { license }),
  };
}

function listLogos(id: string, publicUrl: string): readonly Logo[] {
  return (['dark', 'light'] as const).flatMap((colorScheme) =>
    (['landscape', 'square'] as const).map((aspectRatio): Logo => {
      const path = `/logos/${id}/${colorScheme}-${aspectRatio}.svg`;
      return { url: publicUrl + path, colorScheme, aspectRatio };
    }),
  );
}

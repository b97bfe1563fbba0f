import type { CatalogPart } from '#domain/catalog';
import type { BloomObjective, LearningObjectType } from '#domain/learning-object';
import { bloomObjectives, learningObjectTypes, normalizeObjectAddress } from '#domain/learning-object';
import { type FactTexts, readObjectFacts } from '#domain/object-facts';
import { MAX_OBJECT_NAMES, objectTextLimits, toLearningTime } from '#domain/object-fields';
import { omitUndefined } from '#domain/omit-undefined';
import { parseWebAddress } from '#domain/web-address';
import type { ImportItem, RejectedRow } from '#ports/imports';
import type { LearningObjectRecord, ProviderRecord } from './catalog-schema.ts';
import { learningObjectRecord, providerRecord } from './catalog-schema.ts';
import { readLanguageCode } from './language-code.ts';
import {
  cleanLine,
  cleanTitle,
  cutTextAtWord,
  explainAddressText,
  shortenSlug,
  slugifyText,
  stripTextMarkup,
} from './plain-text.ts';
import { plainWords } from './quantities.ts';

export interface ObjectFields {
  readonly url: string;
  readonly title: string;
  /** May have markup; the title by default. */
  readonly description?: string | undefined;
  readonly provider: string;
  /** Type names, or other common words for them, the best first. */
  readonly types?: readonly string[] | undefined;
  /** The type of an object without a known one; `website` by default. */
  readonly otherwise?: LearningObjectType | undefined;
  /** Guessed from the type where absent. */
  readonly bloom?: readonly string[] | undefined;
  /** A code of two or three letters, also with a region, or the language's name. */
  readonly lang?: string | undefined;
  /** The language of an object that names none; `en` by default. */
  readonly defaultLang?: string | undefined;
  /** Words of the title by default. */
  readonly keywords?: readonly string[] | undefined;
  /** From -1 (beginner) to 1 (advanced). */
  readonly level?: number | undefined;
  readonly minutes?: number | undefined;
  readonly publishers?: readonly string[] | undefined;
  readonly authors?: readonly string[] | undefined;
  readonly free?: boolean | undefined;
  /** From 0 to 1. */
  readonly popularity?: number | undefined;
  /** Ignored without a location. */
  readonly address?: string | undefined;
  readonly location?: { readonly lat: number; readonly lon: number } | undefined;
  readonly age?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined;
  readonly picture?: string | undefined;
  readonly embed?: string | undefined;
  readonly facts?: FactTexts | undefined;
}

type ObjectOutcome = { readonly record: LearningObjectRecord } | Pick<RejectedRow, 'reason' | 'of'>;

export const DEFAULT_LANG = 'en';

const MAX_PLACE = 300;
const MAX_KEYWORD = 60;
const MAX_TITLE_KEYWORDS = 8;
const MAX_MINUTES = 5_000 * 60;
/** A little below the middle of the starter catalogue. */
const DEFAULT_POPULARITY = 0.3;

/** Makes the record of an object without unusable optional fields, or the reason of a refusal. */
export function toObjectRecord(fields: ObjectFields): ObjectOutcome {
  const url = parseWebAddress(fields.url);
  if (url === null) return { reason: explainAddressText(fields.url) };
  const title = cutTextAtWord(cleanTitle(fields.title), objectTextLimits.title);
  const of = { kind: 'object', key: url } as const;
  if (title === '') return { reason: 'has no title. Give it one', of };
  const type = readObjectType(fields.types ?? []) ?? fields.otherwise ?? 'website';
  const parsed = learningObjectRecord.safeParse({
    url,
    title,
    description: cutTextAtWord(stripTextMarkup(fields.description ?? ''), objectTextLimits.description) || title,
    provider: fields.provider,
    type: listObjectTypes(fields.types, type),
    bloom: listObjectBloomLevels(fields.bloom, type),
    lang: readLanguageCode(fields.lang ?? '') ?? readLanguageCode(fields.defaultLang ?? '') ?? DEFAULT_LANG,
    keywords: listObjectKeywords(fields.keywords, title),
    publisher: cleanNames(fields.publishers),
    author: cleanNames(fields.authors),
    popularity: clampNumber(fields.popularity, { min: 0, max: 1 }) ?? DEFAULT_POPULARITY,
    ...listOptionalObjectFields(fields),
  });
  if (parsed.success) return { record: parsed.data };
  const { path = [], message = '' } = parsed.error.issues[0] ?? {};
  return { reason: `${path.join('.') || 'record'}: ${message}`, of };
}

function listOptionalObjectFields(fields: ObjectFields): object {
  const { location, address, age, free, minutes = 0 } = fields;
  const level = clampNumber(fields.level, { min: -1, max: 1 });
  const learningTime =
    minutes > 0 && minutes <= MAX_MINUTES ? toLearningTime(Math.max(1, Math.round(minutes))) : undefined;
  const isPlace = location !== undefined && Math.abs(location.lat) <= 90 && Math.abs(location.lon) <= 180;
  const placeName = isPlace ? cutTextAtWord(cleanLine(address ?? ''), MAX_PLACE) : '';
  const isAge = (years = -1) => Number.isInteger(years) && years >= 0 && years <= 120;
  const ages = Object.entries({ min: age?.min, max: age?.max }).filter(([, years]) => isAge(years));
  const picture = parseWebAddress(fields.picture ?? '') ?? undefined;
  const embed = parseWebAddress(fields.embed ?? '') ?? undefined;
  return {
    ...omitUndefined({ level, learningTime, free, picture, embed }),
    ...(isPlace && { location }),
    ...(placeName !== '' && { address: placeName }),
    ...(ages.length > 0 && { age: Object.fromEntries(ages) }),
    ...readObjectFacts(fields.facts ?? {}),
  };
}

function listObjectTypes(types: readonly string[] = [], best: LearningObjectType): LearningObjectType[] {
  const names = types.map((type) => type.trim().toLowerCase());
  return [...new Set([best, ...learningObjectTypes.filter((type) => names.includes(type))])];
}

const practical: readonly LearningObjectType[] = ['tutorial', 'training', 'app', 'serious game'];

function listObjectBloomLevels(bloom: readonly string[] = [], type: LearningObjectType): BloomObjective[] {
  const names = bloom.map((objective) => objective.trim().toLowerCase());
  const objectives = bloomObjectives.filter((objective) => names.includes(objective.toLowerCase()));
  if (objectives.length > 0) return objectives;
  return practical.includes(type) ? ['Understand', 'Apply'] : ['Understand'];
}

function listObjectKeywords(keywords: readonly string[] = [], title: string): string[] {
  const clean = cleanNames(keywords.map((word) => word.slice(0, MAX_KEYWORD)));
  if (clean.length > 0) return clean;
  const words = title.toLowerCase().match(/[\p{L}\p{N}+#]{3,}/gu) ?? [];
  return words.length > 0 ? [...new Set(words)].slice(0, MAX_TITLE_KEYWORDS) : [title];
}

function cleanNames(names: readonly string[] = []): string[] {
  const clean = names
    .slice(0, 5 * MAX_OBJECT_NAMES)
    .map((name) => cutTextAtWord(cleanTitle(name), objectTextLimits.name));
  return [...new Set(clean)].filter((name) => name !== '').slice(0, MAX_OBJECT_NAMES);
}

function clampNumber(value: number | undefined, { min, max }: { min: number; max: number }): number | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined;
  return Math.min(Math.max(value, min), max);
}

/** Words for types, the more exact first. */
const patterns: readonly (readonly [pattern: RegExp, type: LearningObjectType])[] = [
  [/\bmooc\b|massive open/, 'mooc'],
  [/podcast|audio|\bsound\b|recorded talk|balado/, 'podcast'],
  [/video|movie|moving ?image|film|webinar|screencast|lecture capture|vortragsaufzeichnung/, 'video'],
  [/serious ?game|\bgames?\b|\bjeux?\b|lernspiel/, 'serious game'],
  [/e-?book|livre numerique/, 'ebook'],
  [/\bbook|textbook|monograph|\blivres?\b|manuel\b|\bbuch|lehrbuch|horbuch|\blibro/, 'book'],
  [/safety (?:data )?sheet/, 'safety sheet'],
  [/career|occupation|job profile|fiche metier|berufsbild/, 'career profile'],
  [
    /tutorial|how ?-?to|walkthrough|exercise|problem|lab(?:oratory)?\b|practical|lesson|self assessment|questionnaire|quiz|worksheet|work ?sheet|lecon|exercices?|tutoriel|\btp\b|\btd\b|fiche|arbeitsblatt|ubung|anleitung|unterrichtseinheit|activit|lesson plan|homework|assignment|unit of study|ejercicio|esercizi|guided project|h5p/,
    'tutorial',
  ],
  [
    /distance|online ?(?:course|only)|e-?learning|course ?ware|a distance|en ligne|en linea|fernkurs|online ?-?kurs/,
    'distance learning',
  ],
  [
    /course|training|workshop|program|curriculum|formation|class\b|syllabus|seminar|\bcours\b|atelier|\bstage\b|kurs|schulung|lehrgang|\bcurso|parcours|specialization|module|classe virtuelle|blended|(?:learning|career) path|lernpfad|\bcorso/,
    'training',
  ],
  [
    /software|application|simulation|simulator|interactive ?resource|\bapp\b|\btool\b|logiciel|outil|anwendung|interactive/,
    'app',
  ],
  [
    /article|thesis|paper|report|preprint|essay|\btext\b|narrative|lecture|slide|presentation|blog|review|journal|periodical|dissertation|artikel|articulo|articolo|presentacion|\bpdf\b|do[ck]ument|memoire|\bfolien|reading|handout|\bguide\b/,
    'article',
  ],
  [/web ?site|web ?page|collection|\bsite\b|webseite|portal/, 'website'],
];

/** The type of the first known word, in several languages. Undefined without one. */
export function readObjectType(words: readonly string[]): LearningObjectType | undefined {
  for (const word of words) {
    const spaced = plainWords(word.slice(0, 200).replace(/([a-z])([A-Z])/g, '$1 $2'))
      .replace(/^application\//, '')
      .replace(/[_/]+/g, ' ')
      .trim();
    const exact = learningObjectTypes.find((name) => name === spaced);
    const type = exact ?? patterns.find(([pattern]) => pattern.test(spaced))?.[1];
    if (type !== undefined) return type;
  }
  return undefined;
}

/** Makes the record of a provider from its name, else from the host of an address.
 *  @param fallback the address or name of the source, for a provider without both */
export function toObjectProvider(name: string | undefined, url: string | undefined, fallback: string): ProviderRecord {
  const host = findObjectHost(url) || findObjectHost(fallback) || fallback;
  const displayName = cutTextAtWord(cleanTitle(name ?? '') || host, objectTextLimits.provider);
  const id = shortenSlug(slugifyText(displayName) || slugifyText(host) || 'unknown');
  const { data } = providerRecord.safeParse(omitUndefined({ id, name: displayName, url }));
  return data ?? { id, name: displayName || id };
}

/** Null for a provider of which only the id is known, which must not replace a name. */
export function toObjectProviderPart(provider: ProviderRecord): CatalogPart | null {
  const { id, name, url } = provider;
  return name === id && url === undefined ? null : { kind: 'provider', key: id, part: '', body: provider };
}

const findObjectHost = (url: string | undefined): string =>
  url !== undefined && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';

export interface ReadObject {
  /** Its address, or a description of it for messages. */
  readonly place: string;
  readonly provider: ProviderRecord;
  readonly outcome: ObjectOutcome;
}

/** Makes parts of objects and providers. Of several objects with one address, the first counts. */
export function toObjectParts(objects: readonly ReadObject[]): Pick<ImportItem, 'parts' | 'rejected' | 'rows'> {
  const titles = new Map<string, string>();
  const providers = new Map<string, CatalogPart>();
  const records = new Map<string, CatalogPart>();
  const rejected: RejectedRow[] = [];
  for (const { place, provider, outcome } of objects) {
    const shownPlace = cutTextAtWord(place, MAX_PLACE);
    if ('reason' in outcome) {
      rejected.push({ place: shownPlace, ...outcome });
      continue;
    }
    const { record } = outcome;
    const providerPart = toObjectProviderPart(provider);
    if (providerPart !== null && !providers.has(providerPart.key)) providers.set(providerPart.key, providerPart);
    const address = normalizeObjectAddress(record.url);
    const title = titles.get(address);
    if (title === undefined) records.set(record.url, { kind: 'object', key: record.url, part: '', body: record });
    else if (title !== record.title) {
      const reason = `“${record.title}” has the address of “${title}”: give each its own`;
      rejected.push({ place: shownPlace, reason });
    }
    titles.set(address, title ?? record.title);
  }
  return { rows: objects.length, parts: [...providers.values(), ...records.values()], rejected };
}

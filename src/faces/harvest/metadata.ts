import { toLearningMinutes } from '#domain/learning-object';
import { factNames, lomSources, objectFacts, type TaughtConcept, writeFactTexts } from '#domain/object-facts';
import { linkLicense } from '#domain/rights/licences';
import type { PublishedObject } from '#ports/object-catalog';
import { writeElement, writeTexts, type Xml } from '../xml.ts';

export interface MetadataFormat {
  readonly prefix: string;
  readonly namespace: string;
  readonly schema: string;
  write(published: PublishedObject): Xml;
}

const OAI_DC = 'http://www.openarchives.org/OAI/2.0/oai_dc/';
const OAI_DC_SCHEMA = 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd';
const LOM = 'http://ltsc.ieee.org/xsd/LOM';
/** The loose schema allows terms of other vocabularies, such as schema.org. */
const LOM_SCHEMA = 'http://ltsc.ieee.org/xsd/lomv1.0/lomLoose.xsd';

export const metadataFormats: readonly MetadataFormat[] = [
  { prefix: 'oai_dc', namespace: OAI_DC, schema: OAI_DC_SCHEMA, write: writeDublinCoreMetadata },
  { prefix: 'lom', namespace: LOM, schema: LOM_SCHEMA, write: writeLomMetadata },
];

/** Writes the attributes that say where the XML Schema of a namespace is. @param prefix with `:` */
export const describeMetadataSchema = (namespace: string, schema: string, prefix = '') => ({
  [`xmlns${prefix}`]: namespace,
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  'xsi:schemaLocation': `${namespace} ${schema}`,
});

/** Writes Dublin Core, which has no elements for many facts. What is not stated is left out. */
function writeDublinCoreMetadata({ object, keywords }: PublishedObject): Xml {
  const { license, published, provider } = object;
  const elements = [
    writeTexts('dc:title', [object.title], { 'xml:lang': object.lang }),
    writeTexts('dc:creator', object.author),
    writeTexts('dc:subject', keywords),
    writeTexts('dc:description', [object.description], { 'xml:lang': object.lang }),
    writeTexts('dc:publisher', object.publisher.length > 0 ? object.publisher : [provider]),
    writeTexts('dc:date', [published]),
    writeTexts('dc:type', object.type),
    writeTexts('dc:identifier', [object.url]),
    // The provider need not be the publisher.
    writeTexts('dc:source', [provider]),
    writeTexts('dc:language', [object.lang]),
    writeTexts('dc:coverage', [object.address]),
    writeTexts('dc:rights', license === undefined ? [] : [...new Set([license, linkLicense(license) ?? license])]),
  ];
  return writeElement('oai_dc:dc', elements, {
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    ...describeMetadataSchema(OAI_DC, OAI_DC_SCHEMA, ':oai_dc'),
  });
}

const writeLomStrings = (name: string, texts: readonly (string | undefined)[], language?: string): Xml =>
  texts.map((text) => (text ? writeElement(name, writeTexts('string', [text], { language })) : '')).join('');

/** Writes a term of a vocabulary, which is that of LOM if no other is named. */
const writeLomTerm = (name: string, value: string | undefined, source = 'LOMv1.0'): Xml =>
  value === undefined ? '' : writeElement(name, [writeTexts('source', [source]), writeTexts('value', [value])]);

const writeOptionalMetadata = (name: string, content: readonly Xml[]): Xml =>
  content.every((part) => part === '') ? '' : writeElement(name, content);

/** Writes IEEE LOM (1484.12.3). Facts without an element become classifications by schema.org. */
function writeLomMetadata(published: PublishedObject): Xml {
  const { object, keywords, location } = published;
  const { lang, price, license, address } = object;
  const general = [
    writeElement('identifier', [writeTexts('catalog', ['URI']), writeTexts('entry', [object.url])]),
    writeLomStrings('title', [object.title], lang),
    writeTexts('language', [lang]),
    writeLomStrings('description', [object.description], lang),
    writeLomStrings('keyword', keywords, lang),
    writeLomStrings('coverage', [location && `name=${address ?? ''}; north=${location.lat}; east=${location.lon}`]),
  ];
  const rights = [
    writeLomTerm('cost', price && (price.free ? 'no' : 'yes')),
    writeLomTerm('copyrightAndOtherRestrictions', license === undefined ? undefined : 'yes'),
    writeLomStrings('description', [license]),
  ];
  const content = [
    writeElement('general', general),
    writeOptionalMetadata('lifeCycle', writeLomContributions(object)),
    writeElement('technical', writeTexts('location', [object.url])),
    writeOptionalMetadata('educational', writeEducationalMetadata(published)),
    writeOptionalMetadata('rights', rights),
    writeLomRelation('thumbnail', object.picture),
    writeLomRelation('embed', object.embed),
    writeClassifications(published),
  ];
  return writeElement('lom', content, describeMetadataSchema(LOM, LOM_SCHEMA));
}

function writeLomContributions({ author, publisher, provider, published }: PublishedObject['object']): Xml[] {
  const date = published === undefined ? '' : writeElement('date', writeTexts('dateTime', [published]));
  const contribute = (role: string, names: readonly string[], dateElement = ''): Xml => {
    if (names.length === 0 && dateElement === '') return '';
    const entities = writeTexts('entity', names.map(writeLomCard));
    return writeElement('contribute', [writeLomTerm('role', role), entities, dateElement]);
  };
  return [
    contribute('author', author),
    contribute('publisher', publisher, date),
    contribute('content provider', provider === undefined ? [] : [provider]),
  ];
}

function writeLomCard(name: string): string {
  const escaped = name.replace(/[\\;,]/g, (sign) => `\\${sign}`);
  return `BEGIN:VCARD\nVERSION:3.0\nFN:${escaped}\nN:${escaped};;;;\nEND:VCARD`;
}

const difficulties = ['very easy', 'easy', 'medium', 'difficult', 'very difficult'];

function writeEducationalMetadata({ object, age }: PublishedObject): Xml[] {
  const { level, type } = object;
  const minutes = toLearningMinutes(object.learningTime);
  return [
    type.map((name) => writeLomTerm('learningResourceType', name, 'https://schema.org/learningResourceType')).join(''),
    writeLomStrings('typicalAgeRange', [age && describeLomAges(age)]),
    writeLomTerm('difficulty', level === undefined ? undefined : difficulties[Math.round(2 * level + 2)]),
    minutes === undefined
      ? ''
      : writeElement('typicalLearningTime', writeTexts('duration', [writeLomDuration(minutes)])),
  ];
}

/** @example describeLomAges({ min: 8, max: 10 }) // '8-10', 'U-10' without a lower limit */
const describeLomAges = ({ min, max }: NonNullable<PublishedObject['age']>): string =>
  min === undefined ? `U-${max}` : `${min}-${max ?? ''}`;

/** @example writeLomDuration(90.5) // 'PT1H30M30S' */
function writeLomDuration(minutes: number): string {
  const seconds = Math.round(minutes * 60);
  const parts = { H: Math.floor(seconds / 3_600), M: Math.floor(seconds / 60) % 60, S: seconds % 60 };
  const written = Object.entries(parts).map(([unit, count]) => (count > 0 ? `${count}${unit}` : ''));
  return `PT${written.join('')}`;
}

/** Writes a relation of a kind of NL LOM, which many harvesters read. */
function writeLomRelation(kind: string, url: string | undefined): Xml {
  if (url === undefined) return '';
  const identifier = writeElement('identifier', [writeTexts('catalog', ['URI']), writeTexts('entry', [url])]);
  return writeElement('relation', [
    writeLomTerm('kind', kind, 'http://purl.edustandaard.nl/relation_kind_nllom_20131211'),
    writeElement('resource', identifier),
  ]);
}

const purposes: Readonly<Record<string, string>> = {
  teaches: 'competency',
  educationalLevel: 'educational level',
  accessibilityFeature: 'accessibility restrictions',
  accessMode: 'accessibility restrictions',
  accessibilityHazard: 'accessibility restrictions',
  accessibilitySummary: 'accessibility restrictions',
};
/** Facts for which LOM has elements. */
const elementFacts = new Set(['license', 'published']);

function writeClassifications({ object }: PublishedObject): Xml {
  const texts = writeFactTexts(object);
  const { level, bloom, lang } = object;
  const factClassifications = factNames
    .filter((name) => !elementFacts.has(name))
    .map((name) => {
      const taxons: readonly TaughtConcept[] =
        objectFacts[name].kind === 'concepts'
          ? (object.teaches ?? [])
          : (texts[name] ?? []).map((label) => ({ label }));
      return writeClassification(
        purposes[name],
        `https://schema.org/${name}`,
        taxons.map((taxon) => writeTaxon(taxon, lang)),
      );
    });
  return [
    ...factClassifications,
    writeClassification(
      'educational objective',
      lomSources.bloom,
      bloom.map((label) => writeTaxon({ label })),
    ),
    writeClassification('skill level', lomSources.level, level === undefined ? [] : [writeTaxon({ uri: `${level}` })]),
  ].join('');
}

const writeTaxon = ({ uri, label }: TaughtConcept, lang?: string): Xml =>
  writeElement('taxon', [writeTexts('id', [uri]), writeLomStrings('entry', [label], lang)]);

function writeClassification(purpose: string | undefined, source: string, taxons: readonly Xml[]): Xml {
  const paths = taxons.map((taxon) => writeElement('taxonPath', [writeLomStrings('source', [source]), taxon]));
  return paths.length === 0 ? '' : writeElement('classification', [writeLomTerm('purpose', purpose), ...paths]);
}

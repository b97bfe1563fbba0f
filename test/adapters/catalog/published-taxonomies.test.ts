import { describe, expect, test } from 'vitest';
import type { ImportRequest } from '../../../src/ports/imports.ts';
import { contentOf, folderWith, openSource, restsOf } from './read-all.ts';

const open = (file: string, text: string, options: Partial<ImportRequest> = {}) =>
  openSource('taxonomy', `${folderWith({ [file]: text })}/${file}`, options);
const read = async (...args: Parameters<typeof open>) => contentOf(await open(...args));

const prefixes = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix skosxl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix esco: <http://data.europa.eu/esco/model#> .
@prefix skill: <http://data.europa.eu/esco/skill/> .
@prefix occupation: <http://data.europa.eu/esco/occupation/> .
@prefix a: <https://acme.example/skills/> .
`;

/** In the form of ESCO's own download. */
const esco = `${prefixes}
<http://data.europa.eu/esco/concept-scheme/skills> a skos:ConceptScheme ; dct:title "ESCO skills"@en .
skill:aaaa a esco:Skill, skos:Concept ;
  skosxl:prefLabel <http://data.europa.eu/esco/label/1>, [ skosxl:literalForm "souder"@fr ] ;
  skos:altLabel "weld metal"@en, "fusion weld"@en ;
  dct:description [ esco:nodeLiteral "Join metal with heat."@en ; esco:language "en" ] ;
  esco:skillType <http://data.europa.eu/esco/skill-type/skill> ;
  skos:broader skill:S8 ;
  esco:isEssentialSkillFor occupation:oooo .
<http://data.europa.eu/esco/label/1> a skosxl:Label ; skosxl:literalForm "weld"@en .
skill:bbbb a esco:Skill, skos:Concept ; skos:prefLabel "metallurgy"@en, "Werkstoffkunde"@de ;
  esco:skillType <http://data.europa.eu/esco/skill-type/knowledge> .
skill:S8 a skos:Concept ; skos:prefLabel "working with machinery"@en ; skos:narrower skill:bbbb .
occupation:oooo a esco:Occupation, skos:Concept ; skos:prefLabel "welder"@en ; esco:relatedOptionalSkill skill:bbbb ;
  skos:broader <http://data.europa.eu/esco/isco/C7212> .
`;

const acme = `${prefixes}
a:scheme a skos:ConceptScheme ; dct:title "Acme skills"@en .
a:welding a skos:Concept ; skos:prefLabel "welding"@en-GB ; skos:notation "WLD-01", "W" ; skos:scopeNote "All kinds."@en ;
  skos:exactMatch skill:aaaa, <https://other.example/1> ; skos:closeMatch a:brazing ; skos:narrowMatch skill:cccc .
a:brazing a skos:Concept ; skos:prefLabel "brazing"@en, "Hartlöten"@de .
a:torch a skos:Concept ; skos:prefLabel "torch welding"@en ; owl:deprecated true ; dct:isReplacedBy a:welding .
a:nameless a skos:Concept .
`;

const acmeXml = `<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [<!ENTITY skos "http://www.w3.org/2004/02/skos/core#">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
  <skos:Concept rdf:about="https://acme.example/skills/brazing"><skos:prefLabel xml:lang="en">brazing</skos:prefLabel>
    <skos:related><rdf:Description rdf:about="https://acme.example/skills/welding"><rdf:type rdf:resource="&skos;Concept"/>
      <skos:prefLabel xml:lang="en">welding &amp; more</skos:prefLabel></rdf:Description></skos:related></skos:Concept>
</rdf:RDF>`;

const acmeJson = JSON.stringify({
  '@context': {
    '@vocab': 'http://www.w3.org/2004/02/skos/core#',
    prefLabel: { '@container': '@language' },
    broader: { '@type': '@id' },
  },
  '@graph': [
    { '@id': 'https://acme.example/skills#brazing', '@type': 'Concept', prefLabel: { en: 'brazing', fr: 'brasage' } },
    {
      '@id': 'https://acme.example/skills#silver',
      '@type': 'Concept',
      prefLabel: { en: 'silver brazing' },
      broader: 'https://acme.example/skills#brazing',
    },
  ],
});

describe('SKOS', () => {
  test('as ESCO writes it: labels and texts that are resources, kinds, and skills of occupations', async () => {
    const { concepts, rejected } = await read('esco.ttl', esco, { dataset: 'ESCO' });
    expect(rejected).toEqual([]);
    expect(concepts['esco:skill.aaaa']).toEqual({
      id: 'esco:skill.aaaa',
      source: 'ESCO',
      kind: 'skill',
      uri: 'http://data.europa.eu/esco/skill/aaaa',
      labels: { en: 'weld', fr: 'souder' },
      altLabels: { en: ['weld metal', 'fusion weld'] },
      description: { en: 'Join metal with heat.' },
      links: { broader: ['esco:skill.S8'] },
    });
    expect(concepts['esco:skill.bbbb']).toMatchObject({ kind: 'topic', links: { broader: ['esco:skill.S8'] } });
    expect(concepts['esco:occupation.oooo']).toMatchObject({
      kind: 'occupation',
      links: { broader: ['isco-08:7212'], essential: ['esco:skill.aaaa'], optional: ['esco:skill.bbbb'] },
    });
  });

  test('mappings, codes, a replaced concept, and one without a label', async () => {
    const { concepts, rejected, rows } = await read('acme.ttl', acme);
    expect(concepts['acme:welding']).toEqual({
      id: 'acme:welding',
      source: 'Acme skills',
      kind: 'skill',
      uri: 'https://acme.example/skills/welding',
      labels: { en: 'welding' },
      altLabels: { en: ['WLD-01'] },
      description: { en: 'All kinds.' },
      links: { related: ['acme:brazing'], sameAs: ['esco:skill.aaaa', 'https://other.example/1', 'acme:torch'] },
    });
    expect(Object.keys(concepts)).toEqual(['acme:welding', 'acme:brazing']);
    expect(rejected).toEqual(['https://acme.example/skills/nameless has no label: give it a preferred one']);
    // The last one is of ESCO, and is only linked.
    expect(rows).toBe(5);
  });

  test('in RDF/XML, and in JSON-LD with its context', async () => {
    const xml = await read('acme.rdf', acmeXml);
    expect(xml.concepts).toMatchObject({
      'acme:brazing': { labels: { en: 'brazing' }, links: { related: ['acme:welding'] } },
      'acme:welding': { labels: { en: 'welding & more' } },
    });
    const json = await read('acme.jsonld', acmeJson, { name: 'Acme' } as Partial<ImportRequest>);
    expect(json.concepts).toMatchObject({
      'acme:brazing': { labels: { en: 'brazing', fr: 'brasage' } },
      'acme:silver': { links: { broader: ['acme:brazing'] } },
    });
  });

  test('some languages only, and from every position', async () => {
    const { concepts } = await read('acme.ttl', acme, { langs: ['de'] });
    expect(concepts).toMatchObject({ 'acme:brazing': { labels: { de: 'Hartlöten' } } });
    expect(Object.keys(concepts)).toEqual(['acme:brazing']);
    const { wanted, rests } = await restsOf(await open('acme.ttl', acme));
    expect(rests).toEqual(wanted);
  });

  test('addresses with one ending get ids of their own', async () => {
    const twins = ['x', 'y'].map((at) => `<https://a.example/${at}/1> a skos:Concept ; skos:prefLabel "${at}"@en .`);
    const { concepts } = await read('twins.ttl', `${prefixes}${twins.join('\n')}`);
    expect(Object.keys(concepts).map((id) => id.replace(/[0-9a-f]{8}$/, '…'))).toEqual(['twins:1-…', 'twins:1-…']);
  });
});

const node = (identifier: string) => ({ title: 'T', identifier, uri: `https://opensalt.example/uri/${identifier}` });
const association = (associationType: string, from: string, to: string) => ({
  identifier: `${from}${to}`,
  associationType,
  originNodeURI: node(from),
  destinationNodeURI: node(to),
});

/** In the form of an OpenSALT package. */
const casePackage = {
  CFDocument: {
    ...node('d0'),
    title: 'Grade 3 Mathematics',
    creator: 'Acme',
    language: 'en',
    adoptionStatus: 'Adopted',
  },
  CFItems: [
    { ...node('i1'), fullStatement: 'Number and Operations', CFItemType: 'Domain', humanCodingScheme: 'NF' },
    {
      ...node('i2'),
      fullStatement: 'Develop understanding of fractions as numbers.',
      abbreviatedStatement: 'Fractions',
      humanCodingScheme: '3.NF.A.1',
      CFItemType: 'Standard',
      language: 'en-US',
    },
    { ...node('i3'), fullStatement: 'Parts of a whole' },
  ],
  CFAssociations: [
    association('isChildOf', 'i1', 'd0'),
    association('isChildOf', 'i2', 'i1'),
    association('exactMatchOf', 'i2', 'x9'),
    association('isRelatedTo', 'i2', 'i1'),
    association('replacedBy', 'i3', 'i2'),
    association('constructor', 'i3', 'i2'),
  ],
};

describe('CASE', () => {
  test('items with their relations and mappings; the top of the tree is no concept', async () => {
    const { concepts, rejected } = await read('math.json', JSON.stringify(casePackage, null, 2));
    expect(rejected).toEqual([]);
    expect(concepts['math:i1']).toMatchObject({ kind: 'domain', labels: { en: 'Number and Operations' }, links: {} });
    expect(concepts['math:i2']).toEqual({
      id: 'math:i2',
      source: 'Grade 3 Mathematics',
      kind: 'skill',
      uri: 'https://opensalt.example/uri/i2',
      labels: { en: 'Fractions' },
      altLabels: { en: ['3.NF.A.1'] },
      description: { en: 'Develop understanding of fractions as numbers.' },
      links: { broader: ['math:i1'], related: ['math:i1'], sameAs: ['https://opensalt.example/uri/x9', 'math:i3'] },
    });
    expect(Object.keys(concepts)).toEqual(['math:i1', 'math:i2']);
  });
});

describe('what is refused', () => {
  const xml = (inner: string, before = '') =>
    `<?xml version="1.0"?>${before}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://s.example/">${inner}`;
  test.each([
    ['a.ttl', `${prefixes}this is no Turtle`, /^a\.ttl cannot be read as RDF: /],
    ['a.ttl', `${prefixes}a:b a:c a:d .`, /has no concept of SKOS/],
    ['a.ttl', `${prefixes}a:b a:c """${'long '.repeat(1_000_000)}`, /statement of more than 4 MB/],
    ['a.ttl', esco.slice(0, 1_000), /^a\.ttl cannot be read as RDF: /],
    ['a.rdf', acmeXml.slice(0, 500), /ends before its last element is closed/],
    ['a.rdf', xml('&b;', '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'), /declares entities/],
    ['a.rdf', xml('&a;', `<!DOCTYPE r [<!ENTITY a "${'x'.repeat(300)}">]>`), /declares entities/],
    ['a.rdf', xml('<rdf:Description><s:p>'.repeat(100)), /nested more than 100 levels/],
    ['a.jsonld', acmeJson.slice(0, -2), /ends before its last element is closed/],
    ['a.jsonld', `{"@context":{},"@graph":${'['.repeat(1_000)}`, /nested more than 100 levels/],
    [
      'a.jsonld',
      '{"@context":"https://w3id.org/x","@graph":[]}',
      /^a\.jsonld names the context https:\/\/w3id\.org\/x/,
    ],
    ['a.json', `{"CFItems":[${'{"a":'.repeat(100_000)}`, /no list CFItems/],
    ['a.json', '{"CFDocument":{},"CFItems":[{}]}', /no list CFItems/],
  ])('%s %#', async (file, text, message) => {
    await expect(read(file, text)).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
      message: expect.stringMatching(message),
    });
  });
});

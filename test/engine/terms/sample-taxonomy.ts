import type { Concept, ConceptKind } from '../../../src/engine/terms/types.ts';

type Labels = readonly [preferred: string, ...alternatives: string[]];

interface Entry {
  readonly source?: string;
  readonly kind?: ConceptKind;
  readonly en?: Labels;
  readonly fr?: Labels;
  readonly links?: NonNullable<Concept['links']>;
}

function concept(id: string, { source = 'Skilldock', kind = 'skill', en, fr, links }: Entry): Concept {
  const byLang = Object.entries({ en, fr }).flatMap(([lang, labels]) => (labels ? [[lang, labels] as const] : []));
  return {
    id,
    source,
    kind,
    labels: Object.fromEntries(byLang.map(([lang, [preferred]]) => [lang, preferred])),
    altLabels: Object.fromEntries(byLang.map(([lang, [, ...alternatives]]) => [lang, alternatives])),
    ...(links && { links }),
  };
}

const ESCO = 'ESCO';

/** A small bilingual taxonomy of three sources. */
export const sampleConcepts: readonly Concept[] = [
  concept('pm', {
    en: ['project management', 'managing projects', 'PM'],
    fr: ['gestion de projet', 'conduite de projet'],
    links: { related: ['planning'], narrower: ['agile'] },
  }),
  concept('agile', { en: ['agile methods', 'Scrum'], fr: ['méthodes agiles'] }),
  concept('planning', { en: ['work planning'], fr: ['planification du travail'] }),
  concept('ml', {
    en: ['machine learning', 'statistical learning', 'ML'],
    fr: ['apprentissage automatique', 'apprentissage machine'],
    links: { broader: ['ai'] },
  }),
  concept('ai', {
    kind: 'domain',
    en: ['artificial intelligence', 'AI'],
    fr: ['intelligence artificielle', 'IA'],
  }),
  concept('java', { en: ['Java (computer programming)'], fr: ['Java (programmation informatique)'] }),
  concept('python', { en: ['Python (computer programming)'], fr: ['Python (programmation informatique)'] }),
  concept('js', { en: ['JavaScript', 'JS', 'ECMAScript'], fr: ['JavaScript'] }),
  concept('cpp', { en: ['C++'], fr: ['C++'] }),
  concept('it', { kind: 'domain', en: ['computer technology', 'IT'], fr: ['informatique'] }),
  concept('baking', { en: ['bread baking', 'baking bread'], fr: ['boulangerie', 'fabrication du pain'] }),
  concept('welding', { en: ['welding', 'arc welding'], fr: ['soudage', 'soudure à l’arc'] }),
  concept('first-aid', { en: ['first aid'], fr: ['premiers secours', 'secourisme'] }),
  concept('negotiation', { en: ['negotiation', 'bargaining'], fr: ['négociation'] }),
  concept('photo', { en: ['photography'], fr: ['photographie'] }),
  concept('esco-pm', {
    source: ESCO,
    en: ['perform project management', 'project management'],
    fr: ['gérer un projet'],
  }),
  concept('esco-risk', { source: ESCO, en: ['manage project risks', 'project risk control'] }),
  concept('esco-budget', {
    source: ESCO,
    en: ['manage budgets', 'budget control'],
    fr: ['gérer des budgets'],
  }),
  concept('esco-python', { source: ESCO, en: ['Python'], links: { sameAs: ['python'] } }),
  concept('esco-db', { source: ESCO, en: ['manage database', 'database administration'] }),
  concept('esco-comm', { source: ESCO, en: ['communicate with customers', 'talk to clients'] }),
  concept('baker', {
    source: 'ISCO-08',
    kind: 'occupation',
    en: ['baker', 'bread maker'],
    fr: ['boulanger/boulangère', 'artisan boulanger'],
    links: { essential: ['baking'], optional: ['negotiation'] },
  }),
  concept('welder', {
    source: 'ISCO-08',
    kind: 'occupation',
    en: ['welder'],
    fr: ['soudeur/soudeuse'],
    links: { essential: ['welding'] },
  }),
  concept('developer', {
    source: 'ISCO-08',
    kind: 'occupation',
    en: ['software developer'],
    fr: ['développeur de logiciels'],
  }),
];

import { describe, expect, it } from 'vitest';
import { listLabelReadings, listLabelVariants } from '../../../src/engine/terms/label-variants.ts';

describe('variants of a label', () => {
  it.each([
    ['boulanger / boulangère', ['boulanger', 'boulangère']],
    ['Agent / Agente de sécurité', ['Agent de sécurité', 'Agente de sécurité']],
    ['chef/cheffe de projet', ['chef de projet', 'cheffe de projet']],
    [
      'Accueillant familial / Accueillante familiale auprès d’enfants',
      ['Accueillant familial auprès d’enfants', 'Accueillante familiale auprès d’enfants'],
    ],
    ['Abteilungsleiter/in', ['Abteilungsleiter']],
    ['conductor/a de autobús', ['conductor de autobús']],
    ['Entwickler (m/w/d)', ['Entwickler']],
    ['agent de fabrication en production/transformation du verre', []],
    ['soudeur', []],
  ])('%s', (label, variants) => {
    expect(listLabelVariants(label, 'occupation')).toEqual(variants);
  });

  it('include both forms for occupations only', () => {
    expect(listLabelVariants('boulanger / boulangère', 'skill')).toEqual([]);
  });
});

it('reads a query with two forms as each form', () => {
  expect(listLabelReadings('Agent / Agente de sécurité')).toEqual(['Agent de sécurité', 'Agente de sécurité']);
  expect(listLabelReadings('agent (nuit)')).toEqual(['agent (nuit)']);
});

it('reads a query with up to three sides as each side', () => {
  expect(listLabelReadings('Plombier/Chauffagiste')).toEqual(['Plombier/Chauffagiste', 'Plombier', 'Chauffagiste']);
  expect(listLabelReadings('TION/MENT/TECH')).toHaveLength(4);
  const list = Array.from({ length: 33 }, () => 'TION/MENT/TECH').join('/');
  expect(listLabelReadings(list)).toEqual([list]);
});

import { expect, it } from 'vitest';
import { starterTerms } from '../starter-terms.ts';

it.each([
  ['python', 'en', ['Python', 'Django', 'programming'], ['lone working', 'Managers']],
  [
    'data analyst',
    'en',
    ['data analyst', 'business intelligence analyst', 'data analysis', 'SQL'],
    ['lone working', 'Chemists', 'Policy administration professionals', 'Computer network professionals'],
  ],
  [
    'web designer',
    'en',
    ['web designer', 'web design', 'Graphic and multimedia designers'],
    ['Mechanical engineers', 'Product and garment designers'],
  ],
  ['nurse', 'en', ['nurse', 'nursing', 'midwife', 'Nursing professionals'], ['Aged care services managers']],
  ['infirmier', 'fr', ['infirmier', 'soins infirmiers', 'médecin'], ['infirme', 'informaticien']],
  ['soudure', 'fr', ['soudage', "soudage à l'arc", 'brasage', 'soudeur'], ['sourd', 'langue des signes']],
  ['first aid', 'en', ['first aid', 'cardiopulmonary resuscitation'], ["Teachers' aides", 'Health care assistants']],
  [
    'marketing',
    'en',
    ['marketing', 'digital marketing', 'Marketing and advertising'],
    ['Stall and market salespersons', 'Street and market salespersons', 'Forecast Development'],
  ],
  ['comptable', 'fr', ['comptable', 'comptabilité', 'gestionnaire de paie'], ['conteur', 'compter']],
  [
    'machine learning',
    'en',
    ['machine learning', 'deep learning', 'supervised learning'],
    ["Ships' engineers", 'Plant and machine operators, and assemblers', 'Mobile farm and forestry plant operators'],
  ],
  [
    'project management',
    'en',
    ['project management', 'project manager', 'Project and Portfolio Management'],
    ['Environmental protection technology', 'Production and specialized services managers'],
  ],
  ['data', 'en', [], ['lone working']],
])('similar to %s (%s)', (keywords, lang, wanted, unwanted) => {
  const labels = starterTerms.similar({ keywords, lang, max: 20 }).map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining(wanted));
  expect(labels.filter((label) => unwanted.includes(label))).toEqual([]);
});

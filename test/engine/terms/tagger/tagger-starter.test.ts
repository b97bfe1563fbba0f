import { describe, expect, it } from 'vitest';
import { starterTerms } from '../starter-terms.ts';

const tag = (text: string, lang: string, max = 10) => starterTerms.tag({ text, lang, max }).tags;

const idleTalk: Readonly<Record<string, readonly string[]>> = {
  en: [
    'The cat sat on the mat and looked out of the window.',
    'It was raining again, so we stayed at home and drank tea.',
    'My brother called last night to say he will be late.',
    'I can see the lights of the town from here.',
    'Do you remember the day we went to the beach?',
    'They will go there on Sunday if it is sunny.',
    'The old man walked slowly along the road with his dog.',
    'She laughed, closed the door and ran down the stairs.',
    'There is some bread on the table and milk in the fridge.',
    'Happy birthday! I hope you have a great day with your friends.',
  ],
  fr: [
    'Le chat dort sur le canapé et la pluie tombe dehors.',
    'Nous avons mangé une glace au bord de la mer.',
    'Il fait froid ce matin, prends ton manteau.',
    'Ma sœur arrive demain avec ses deux enfants.',
    "Je ne sais pas où j'ai mis mes clés.",
    'On se voit samedi soir chez Paul ?',
    'Le petit garçon courait derrière son ballon rouge.',
    'Le soleil se couche derrière la montagne.',
    'Merci beaucoup pour votre gentille lettre.',
    'Hier, le train avait encore une heure de retard.',
  ],
};

it('returns no tags for idle talk', () => {
  const found = Object.entries(idleTalk).flatMap(([lang, texts]) =>
    texts.flatMap((text) => tag(text, lang).map(({ label, score }) => ({ text, label, score }))),
  );
  expect(found.filter(({ score }) => score >= 0.4)).toEqual([]);
  expect(found.length, JSON.stringify(found)).toBeLessThanOrEqual(1);
});

it('returns no tags for idle talk beside a sentence with a skill', () => {
  const { en = [] } = idleTalk;
  const labels = tag(`${en.join(' ')} She writes Python.`, 'en').map(({ label }) => label);
  expect(labels).toEqual(['Python']);
});

describe('returns the subject of a text among the first five tags', () => {
  it.each([
    [
      'We are looking for a data analyst with strong SQL and Python skills who can build dashboards in Power BI.',
      ['data analyst', 'SQL', 'Power BI', 'build dashboards'],
    ],
    [
      'This course teaches the basics of machine learning and deep learning with neural networks.',
      ['machine learning', 'deep learning', 'artificial neural networks'],
    ],
    [
      'As a project manager you will lead agile teams, manage budgets and communicate with stakeholders.',
      ['project manager', 'manage budgets', 'manage stakeholders'],
    ],
    [
      'Registered nurse wanted for our emergency department; experience in wound care is an advantage.',
      ['nurse', 'wound care'],
    ],
    ['Learn first aid and cardiopulmonary resuscitation in one day.', ['first aid', 'cardiopulmonary resuscitation']],
    ['The web developer writes HTML, CSS and JavaScript and cares about accessibility.', ['CSS', 'JavaScript', 'HTML']],
    [
      'You will be responsible for bookkeeping, payroll and preparing financial statements.',
      ['prepare financial statements'],
    ],
    [
      'An introduction to digital marketing: search engine optimization, social media and email campaigns.',
      ['Digital Marketing', 'search engine optimisation'],
    ],
    [
      'Welder needed, able to read technical drawings and experienced in TIG welding.',
      ['welder', 'read technical drawings', 'TIG welding'],
    ],
    ['Students practise public speaking and critical thinking.', ['public speaking', 'critical thinking']],
  ])('%s', (text, expected) => {
    expect(tag(text, 'en', 5).map(({ label }) => label)).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ['Nous recherchons un comptable maîtrisant la paie et la fiscalité des entreprises.', ['comptable', 'fiscalité']],
    [
      'Cette formation présente les bases de la gestion de projet et de la communication en équipe.',
      ['gestion de projet'],
    ],
    [
      "Infirmier diplômé pour un service d'urgences, expérience en soins palliatifs souhaitée.",
      ['infirmier', 'soins palliatifs'],
    ],
    ["Apprenez la soudure à l'arc et la lecture de plans.", ['soudage', 'lire des plans techniques']],
    [
      "Cours d'introduction à l'apprentissage automatique et à l'analyse de données avec Python.",
      ['apprentissage automatique', 'analyse de données', 'Python'],
    ],
    [
      'Le technicien assure la maintenance des installations électriques et respecte les règles de sécurité au travail.',
      ['réaliser des installations électriques', 'santé et sécurité au travail'],
    ],
    [
      'Vous gérez les réseaux sociaux et rédigez des contenus pour le marketing numérique.',
      ['Marketing numérique', 'utiliser les réseaux sociaux'],
    ],
    ['Formation aux premiers secours et à la prévention des incendies.', ['premiers secours', 'prévention incendie']],
    ["Le cuisinier prépare les plats et veille à l'hygiène alimentaire.", ['cuisinier', 'hygiène alimentaire']],
    ['Apprendre à programmer en Java et à concevoir des bases de données.', ['Java', 'concevoir des bases de données']],
  ])('%s', (text, expected) => {
    expect(tag(text, 'fr', 5).map(({ label }) => label)).toEqual(expect.arrayContaining(expected));
  });
});

describe('ranks occupations and groups behind skills', () => {
  it.each([
    [
      'The web developer writes HTML, CSS and JavaScript and cares about accessibility.',
      'en',
      ['CSS', 'JavaScript', 'HTML'],
    ],
    [
      'Le technicien assure la maintenance des installations électriques.',
      'fr',
      ['réaliser des installations électriques', 'installations électriques'],
    ],
    ['As a project manager you will manage budgets.', 'en', ['manage budgets', 'project manager']],
    ['We need a nurse.', 'en', ['nurse']],
  ])('%s', (text, lang, expected) => {
    const labels = tag(text, lang).map(({ label }) => label);
    expect(labels.filter((label) => expected.includes(label))).toEqual(expected);
  });
});

import { describe, expect, test } from 'vitest';
import { readQueryWishes } from '../../src/domain/query-wishes.ts';

const audienceOf = (query: string) =>
  readQueryWishes(query).wishes.flatMap((wish) => (wish.kind === 'audience' ? wish.names : []));

describe('the audience of a query', () => {
  test.each<[query: string, topic: string, audience: string[]]>([
    ['statistics for nurses', 'statistics', ['nurses']],
    ['excel for accountants', 'excel', ['accountants']],
    ['maths for primary school teachers', 'maths', ['primary school teachers']],
    ['python for data scientists', 'python', ['data scientists']],
    ['cybersecurity in small companies', 'cybersecurity', ['small companies']],
    ['grade 8 fractions', 'fractions', ['grade 8']],
    ['SQL pour les chefs de projet', 'SQL', ['chefs de projet']],
    ['cybersécurité pour les employés', 'cybersécurité', ['employés']],
    ["bureautique pour les demandeurs d'emploi", 'bureautique', ["demandeurs d'emploi"]],
    ['théorème de Thalès en 3e', 'théorème de Thalès', ['3e']],
    ['coder avec scratch CM2', 'coder avec scratch', ['CM2']],
    ['Projektmanagement für Führungskräfte', 'Projektmanagement', ['Führungskräfte']],
    ['Hygiene für Pflegekräfte', 'Hygiene', ['Pflegekräfte']],
    ['Datenschutz in kleinen Unternehmen', 'Datenschutz', ['kleinen Unternehmen']],
    ['Bruchrechnung Klasse 6', 'Bruchrechnung', ['Klasse 6']],
    ['inteligencia artificial para profesores', 'inteligencia artificial', ['profesores']],
    ['contabilidad para pequeñas empresas', 'contabilidad', ['pequeñas empresas']],
    ['matemáticas para 2º de ESO', 'matemáticas', ['2º de ESO']],
  ])('%s: the topic is "%s", for %j', (query, topic, audience) => {
    expect(readQueryWishes(query).topic).toBe(topic);
    expect(audienceOf(query)).toEqual(audience);
    expect(readQueryWishes(query).context).toContain(audience[0]);
  });

  test.each([
    'caring for people with dementia',
    'machine learning for healthcare',
    'project managers',
    'chef de projet',
    'nurse',
    'Pflegekräfte',
    'gestion de projet',
  ])('%s is a topic without an audience', (query) => {
    expect(readQueryWishes(query)).toEqual({ topic: query, wishes: [] });
  });

  test('an audience that the person removed adds nothing to the score', () => {
    expect(readQueryWishes('statistics for nurses', ['audience'])).toEqual({ topic: 'statistics', wishes: [] });
  });
});

describe('a course of a language and the theme of a lesson', () => {
  test.each([
    ['Français A2 : la santé', 'Français A2', 'fr', 'la santé'],
    ['English B1: at the restaurant', 'English B1', 'en', 'at the restaurant'],
    ['English for nurses: pain', 'English', 'en', 'nurses pain'],
    ['Español para principiantes: la comida', 'Español', 'es', 'la comida'],
    ['Deutschkurs A1: Wohnen', 'Deutschkurs A1', 'de', 'Wohnen'],
  ])('%s: the topic is "%s"', (query, topic, code, context) => {
    expect(readQueryWishes(query)).toMatchObject({ topic, context, learns: { code } });
  });

  test.each(['Français : Victor Hugo', 'Python: English comments', 'Literature A2: English'])('not %s', (query) => {
    expect(readQueryWishes(query)).not.toHaveProperty('learns');
  });
});

describe('the topic of exercises', () => {
  test.each([
    ['Übungsaufgaben Prozentrechnung mit Lösungen', 'Prozentrechnung'],
    ['exercices corrigés dérivées terminale', 'dérivées'],
    ['stoichiometry worksheet with answers', 'stoichiometry'],
    ['ejercicios resueltos de fracciones', 'fracciones'],
  ])('%s: the topic is "%s"', (query, topic) => {
    expect(readQueryWishes(query).topic).toBe(topic);
  });
});

describe('the topic of a sentence', () => {
  test.each<[query: string, topic: string]>([
    ['I am a nurse who wants to move into data analysis', 'data analysis'],
    ['my manager wants me to learn project management', 'project management'],
    ['I teach grade 8 science and need an interactive lab on forces and motion', 'forces and motion'],
    ['looking for a video to explain supply and demand to 16 year olds', 'supply and demand'],
    ['I lost my job in a factory and I want to get into IT. I have no experience.', 'IT'],
    ['Do you have something short about ergonomics?', 'ergonomics'],
    ['Je suis infirmière et je voudrais me former aux soins palliatifs.', 'soins palliatifs'],
    ["j'ai besoin de me remettre à l'informatique", "l'informatique"],
    ["je veux apprendre l'anglais pour parler avec les patients", "l'anglais"],
    ['Ich bin Lehrerin und möchte lernen, wie man eine Rede hält', 'eine Rede hält'],
    ['ich möchte lernen, wie man eine Datenbank entwirft', 'eine Datenbank entwirft'],
    ['Wir brauchen eine Schulung zum Brandschutz', 'Brandschutz'],
    ['quiero aprender a programar', 'programar'],
    ['Soy contable y necesito mejorar mi inglés', 'inglés'],
    ['busco un curso de primeros auxilios para profesores', 'primeros auxilios'],
  ])('%s asks for "%s"', (query, topic) => {
    expect(readQueryWishes(query).topic).toBe(topic);
  });

  test('the clauses around a request are context, and who asks is the audience', () => {
    const query = 'I am a nurse who wants to move into data analysis';
    expect(audienceOf(query)).toEqual(['nurse']);
    expect(readQueryWishes("je veux apprendre l'anglais pour parler avec les patients").context).toBe(
      'pour parler avec les patients',
    );
  });
});

describe('a language to learn', () => {
  test.each<[query: string, code: string]>([
    ['learn English', 'en'],
    ['beginner spanish', 'es'],
    ["apprendre l'anglais", 'en'],
    ["cours d'allemand", 'de'],
    ["exercices d'anglais niveau B1", 'en'],
    ['Deutsch lernen', 'de'],
    ['Englisch für den Beruf', 'en'],
    ['aprender inglés', 'en'],
    ['quiero aprender francés', 'fr'],
  ])('%s asks to learn %s', (query, code) => {
    expect(readQueryWishes(query).learns?.code).toBe(code);
  });

  test.each(['english literature', 'tutoriel python allemand', 'Spanish Civil War', 'traduction anglais français'])(
    '%s asks for no language course',
    (query) => {
      expect(readQueryWishes(query).learns).toBeUndefined();
    },
  );
});

import { describe, expect, test } from 'vitest';
import type { City } from '../../src/domain/query-intent/place.ts';
import { type QueryWish, readQueryWishes } from '../../src/domain/query-wishes.ts';

const level = (name: 'beginner' | 'intermediate' | 'advanced') => ({ kind: 'level', level: name }) as const;
const free = { kind: 'free' } as const;
const type = (...types: Extract<QueryWish, { kind: 'type' }>['types']): QueryWish => ({
  kind: 'type',
  types,
});
const video = type('video');
const minutes = (most: number) => ({ kind: 'length', minutes: most }) as const;

const cities: Readonly<Record<string, City>> = {
  lyon: { lat: 45.8, lon: 4.8, population: 521_000 },
  paris: { lat: 48.9, lon: 2.4, population: 2_113_000 },
  'new york': { lat: 40.7, lon: -74, population: 8_000_000 },
  'london, canada': { lat: 43, lon: -81.2, population: 420_000 },
  'le havre': { lat: 49.5, lon: 0.1, population: 166_000 },
  'aix en provence': { lat: 43.5, lon: 5.4, population: 147_000 },
  sète: { lat: 43.4, lon: 3.7, population: 44_000 },
  java: { lat: -7, lon: 110, population: 150_000_000 },
  nice: { lat: 43.7, lon: 7.3, population: 353_000 },
  reading: { lat: 51.5, lon: -1, population: 174_000 },
};
const findCity = (name: string) => cities[name.toLowerCase()] ?? null;
const near = (name: string): QueryWish => {
  const { lat, lon } = findCity(name)!;
  return { kind: 'place', name, lat, lon };
};

describe('the words of a query', () => {
  test.each<[query: string, topic: string, wishes: QueryWish[]]>([
    ['statistics for beginners', 'statistics', [level('beginner')]],
    ['cours de maths débutant', 'cours de maths', [level('beginner')]],
    ['Excel perfectionnement', 'Excel', [level('advanced')]],
    ['excel intermediaire', 'excel', [level('intermediate')]],
    ['introduction to machine learning', 'machine learning', [level('beginner')]],
    ['vidéo de moins de 5 minutes sur le recyclage', 'le recyclage', [minutes(5), video]],
    ['free music theory lessons', 'music theory lessons', [free]],
    ['formation excel gratuite', 'formation excel', [free]],
    ['half day first aid course', 'first aid course', [minutes(210)]],
    ['conflict resolution under 1 hour', 'conflict resolution', [minutes(60)]],
    ['😀 python gratuit', '😀 python', [free]],
    ['python without videos', 'python', []],
    ['python sans vidéo', 'python', []],
    ['machine learning ohne Mathe', 'machine learning', []],
    ['cuisine sans gluten', 'cuisine sans gluten', []],
    ['python, not for beginners', 'python', []],
    ['excel in 3 days', 'excel', [minutes(1260)]],
    ['primary school times tables', 'times tables', [level('beginner')]],
    ['fractions pour les enfants', 'fractions', [level('beginner')]],
    ['graduate econometrics', 'econometrics', [level('advanced')]],
    ['statistics undergraduate', 'statistics', []],
    ['L1 droit du travail', 'droit du travail', []],
    ['chimie organique licence 2', 'chimie organique', []],
    ['podcast entrepreneurship', 'entrepreneurship', [type('podcast')]],
    ['fiche métier menuisier', 'menuisier', [type('career profile')]],
    ['grandes débutantes couture', 'couture', [level('beginner')]],
    ['python exercises', 'python', [type('tutorial', 'app', 'website')]],
    ['books on war', 'war', [type('book', 'ebook')]],
    ['excel 1h30', 'excel', [minutes(90)]],
    ['Python für Anfänger', 'Python', [level('beginner')]],
    ['Excel für Fortgeschrittene', 'Excel', [level('advanced')]],
    ['Projektmanagement kostenlos mit Zertifikat', 'Projektmanagement', [free]],
    ['Übungen zur Prozentrechnung', 'Prozentrechnung', [type('tutorial', 'app', 'website')]],
    ['Excel in weniger als 30 Minuten', 'Excel', [minutes(30)]],
    ['Online-Kurs Buchhaltung', 'Buchhaltung', [type('mooc', 'distance learning')]],
    ['programación desde cero', 'programación', [level('beginner')]],
    ['machine learning avanzado', 'machine learning', [level('advanced')]],
    ['ejercicios de acentuación', 'acentuación', [type('tutorial', 'app', 'website')]],
    ['curso online de contabilidad', 'contabilidad', [type('mooc', 'distance learning')]],
    ['yoga en 20 minutos', 'yoga', [minutes(20)]],
    ['excel 1 h 30 max', 'excel', [minutes(90)]],
    ['excel 1 heure 30 minutes', 'excel', [minutes(90)]],
    ['excel en 1 heure 30', 'excel', [minutes(90)]],
    ['excel in an hour and a half', 'excel', [minutes(90)]],
    ['excel in one and a half hours', 'excel', [minutes(90)]],
    ['excel en une heure et demie', 'excel', [minutes(90)]],
    ['excel 1,5 h', 'excel', [minutes(90)]],
    ['excel 90 min', 'excel', [minutes(90)]],
    ['half an hour of yoga', 'yoga', [minutes(30)]],
    ['une demi-heure de yoga', 'yoga', [minutes(30)]],
    ['yoga 2 h 50 euros', 'yoga 50 euros', [minutes(120)]],
    ['free video about vaccines for beginners', 'vaccines', [level('beginner'), free, video]],
  ])('%s: what is asked for is "%s"', (query, topic, wishes) => {
    const read = readQueryWishes(query);
    expect(read.topic).toBe(topic);
    expect(read.wishes).toHaveLength(wishes.length);
    expect(read.wishes).toEqual(expect.arrayContaining(wishes));
  });

  test.each([
    'bases de données',
    'video editing',
    'montage vidéo',
    'free software',
    'graduate jobs',
    '24 hour urine',
    '35 heures temps de travail',
    'one minute manager',
    '5 day workweek',
    'book cover design',
    'exercice physique',
    'psychology for children with autism',
    'L2 cache',
    'bookkeeping',
    'jeux vidéo',
    'expert comptable',
    'first aid',
    'data analyst',
    'how to make videos',
    'créer un podcast',
    'podcast production',
    'book keeping',
    'gluten free recipes',
    'free-range farming',
    'free time',
    'exercise physiology',
    'physical exercise',
    'article 13 RGPD',
    'care for children',
    'graduate recruitment',
    'réunion à 16h30',
    '24 heures du Mans',
    '1h99',
    'H1 30',
    'halfway house',
  ])('%s names a subject, and nothing besides', (query) => {
    expect(readQueryWishes(query)).toEqual({ topic: query, wishes: [] });
  });

  test.each(['video', 'podcasts', 'gratuit', 'for beginners', '', '  ', '30 minutes'])(
    '%s alone is the topic',
    (query) => {
      expect(readQueryWishes(query)).toEqual({ topic: query, wishes: [] });
    },
  );

  test('wishes that the person removed are ignored, and their words are not in the topic', () => {
    const query = 'free video about vaccines for beginners';
    expect(readQueryWishes(query, ['type', 'level'])).toEqual({ topic: 'vaccines', wishes: [free] });
  });

  test('the first of several wishes of one kind counts', () => {
    expect(readQueryWishes('python beginner to advanced').wishes).toEqual([level('beginner')]);
  });
});

describe('the place in a query', () => {
  test.each<[query: string, topic: string, wishes: QueryWish[]]>([
    ['forklift training in Lyon', 'forklift training', [near('Lyon')]],
    ['cours de couture à lyon', 'cours de couture', [near('Lyon')]],
    ['yoga near new york', 'yoga', [near('New York')]],
    ['yoga around Paris for beginners', 'yoga', [near('Paris'), level('beginner')]],
    ['cuisine autour de Paris, gratuit', 'cuisine', [near('Paris'), free]],
    ['management près d’Aix en Provence', 'management', [near('Aix en Provence')]],
    ['soudure au Havre', 'soudure', [near('Le Havre')]],
    ['soudure près du Havre', 'soudure', [near('Le Havre')]],
    ['python in London, Canada', 'python', [near('London, Canada')]],
    ['formation à Lyon en management', 'formation en management', [near('Lyon')]],
    ['cuisine à Sète', 'cuisine', [near('Sète')]],
  ])('%s: what is asked for is "%s"', (query, topic, wishes) => {
    const read = readQueryWishes(query, [], findCity);
    expect(read.topic).toBe(topic);
    expect(read.wishes).toHaveLength(wishes.length);
    expect(read.wishes).toEqual(expect.arrayContaining(wishes));
    expect(readQueryWishes(query, ['place'], findCity)).toEqual({
      topic,
      wishes: read.wishes.filter(({ kind }) => kind !== 'place'),
    });
  });

  test.each([
    'Paris climate agreement',
    'accord de Paris',
    'climate agreement in Paris',
    'made in Paris',
    'history of Paris',
    'history of art in Paris',
    'la vie à Paris',
    'Paris in 1919',
    'the conference in Paris in 1919',
    'made in China',
    'in Excel',
    'macros in Java',
    'formation en Java',
    'cours à java',
    'excel in Nice',
    'better in Reading',
    'mistakes in reading',
    'cuisine à sète',
    'cours de Lyon',
    'basset hound Lyon',
    'in Lyon',
    'à Lyon',
    'near me',
    'near misses',
  ])('%s names a subject, and nothing besides', (query) => {
    expect(readQueryWishes(query, [], findCity)).toEqual({ topic: query, wishes: [] });
  });

  test.each(['first aid near me', 'first aid près de chez moi'])(
    '%s: nobody knows where that is, but it is somewhere',
    (query) => {
      expect(readQueryWishes(query, [], findCity)).toEqual({
        topic: 'first aid',
        wishes: [type('training')],
      });
    },
  );

  test('no place is read without a list of cities', () => {
    expect(readQueryWishes('yoga in Lyon')).toEqual({ topic: 'yoga in Lyon', wishes: [] });
  });
});

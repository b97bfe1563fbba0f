import { describe, expect, test } from 'vitest';
import { type QueryWish, readQueryWishes } from '../../src/domain/query-wishes.ts';

const level = (name: 'beginner' | 'intermediate' | 'advanced') => ({ kind: 'level', level: name }) as const;
const free = { kind: 'free' } as const;
const type = (...types: Extract<QueryWish, { kind: 'type' }>['types']): QueryWish => ({
  kind: 'type',
  types,
});
const video = type('video');
const minutes = (most: number) => ({ kind: 'length', minutes: most }) as const;

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
    'maths for primary school teachers',
  ])('%s names a subject, and nothing besides', (query) => {
    expect(readQueryWishes(query)).toEqual({ topic: query, wishes: [] });
  });

  test.each(['video', 'podcasts', 'gratuit', 'for beginners', '', '  ', '30 minutes'])(
    '%s alone is the topic',
    (query) => {
      expect(readQueryWishes(query)).toEqual({ topic: query, wishes: [] });
    },
  );

  test('wishes that were taken away do not count, and their words are no topic', () => {
    const query = 'free video about vaccines for beginners';
    expect(readQueryWishes(query, ['type', 'level'])).toEqual({ topic: 'vaccines', wishes: [free] });
  });

  test('the first of several wishes of one kind counts', () => {
    expect(readQueryWishes('python beginner to advanced').wishes).toEqual([level('beginner')]);
  });
});

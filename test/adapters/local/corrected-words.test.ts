import { describe, expect, test } from 'vitest';
import { correctLearningWords } from '../../../src/adapters/local/local-learning-service.ts';
import { searchFor } from './services.ts';
import { openStarterService } from './starter-service.ts';

describe('what was searched for instead', () => {
  const { learning } = openStarterService();
  const correctedOf = async (keywords: string) =>
    (await learning.ask('searchProvider', searchFor(keywords, { model: 'extended' }))).corrected;

  test.each([
    ['dokcer', 'docker'],
    ['pyhton for beginners', 'python for beginners'],
    ['accesibilité web', 'accessibilité web'],
  ])('"%s" is answered as "%s", and says so', async (keywords, meant) => {
    expect(await correctedOf(keywords)).toBe(meant);
  });

  test.each(['docker', 'souder', 'apprendre une langue étrangère', 'qqqqqqqq'])(
    '"%s" is left as it is',
    async (keywords) => {
      expect(await correctedOf(keywords)).toBeUndefined();
    },
  );

  test('is written as in what was found, with the rest as it was typed', () => {
    const corrections = new Map([['cyberscurite', 'cybersecurite']]);
    expect(correctLearningWords('Cours de Cyberscurité !', corrections, ['La Cybersécurité pour tous'])).toBe(
      'Cours de cybersécurité !',
    );
    expect(correctLearningWords('cyberscurite', corrections, [])).toBe('cybersecurite');
  });
});

import { describe, expect, test } from 'vitest';
import { searchFor } from './services.ts';
import { openStarterService } from './starter-service.ts';

const { learning } = openStarterService();

/** What people typed, in the language of the person, when they were shown something else first:
 *  what must be first now, and what must not be among the first five. */
const rows: readonly (readonly [query: string, lang: string, first: RegExp, never: RegExp])[] = [
  ['python', 'fr', /python/i, /^(?!.*python)/i],
  ['droit du travail', 'fr', /travail/i, /git|électri|podcast/i],
  ['docker kubernetes', 'en', /docker.*kubernetes/i, /manuten|istio/i],
  ['docker kubernetes', 'fr', /docker.*kubernetes/i, /manuten/i],
  ['devops engineer', 'en', /devops/i, /jenkins|aerospace|podcast/i],
  ['data analyst', 'en', /data analy/i, /genomic/i],
  ['business analyst', 'en', /analyst|business/i, /cyber|conception/i],
  ['statistics for beginners', 'en', /introductory|intro/i, /advanced|graduate/i],
  ['machine learning for beginners', 'en', /intro|machine learning/i, /advanced/i],
  ['anglais débutant', 'fr', /anglais/i, /upper-intermediate/i],
  ['english for beginners', 'en', /basics/i, /upper-intermediate/i],
  ['cours de maths débutant', 'fr', /seconde|équations/i, /databases|sql/i],
  ['initiation à la comptabilité', 'fr', /comptab/i, /^(licence|master|diplôme)/i],
  ['comptabilité débutant', 'fr', /comptab/i, /^(licence|master|diplôme)/i],
  ['learn spanish', 'en', /spanish/i, /machine learning/i],
  ['how to give feedback', 'en', /feedback/i, /biology/i],
  ['how to teach online', 'en', /online.*teach/i, /site planning|branding|affiliate/i],
  ['conflict management', 'en', /conflict/i, /git/i],
  ['gestion du temps', 'fr', /temps/i, /chaleur/i],
  ['négociation', 'fr', /négociation/i, /excel/i],
  ['biologie cellulaire', 'fr', /membran|cellul/i, /batter|fuel/i],
  ['photo', 'fr', /image|photo/i, /photonlab/i],
  ['cooking', 'en', /cook/i, /connecté/i],
  ['projet managment', 'fr', /project management/i, /git/i],
  ['HR manager', 'en', /human resource/i, /^(?!.*(human|manag|HR))/i],
  ['excel', 'en', /excel/i, /pilot|economics/i],
  ['I am a nurse who wants to move into data analysis', 'en', /health informatics|data/i, /language|guitar|music/i],
  ['how do vaccines work in the body, for my pupils', 'en', /immun|vaccin|science/i, /music industry|calculus/i],
];

describe('what people find first', () => {
  test.each(rows)('%s (%s)', async (query, lang, first, never) => {
    const asked = searchFor(query, { model: 'extended', prefer: lang, max: 5 });
    const { content } = await learning.ask('searchProvider', asked);
    const titles = content.map(({ title }) => title);
    expect(titles[0]).toMatch(first);
    for (const title of titles) expect(title).not.toMatch(never);
  });

  test('reports a corrected word', async () => {
    const { corrected } = await learning.ask('searchProvider', searchFor('projet managment', { model: 'extended' }));
    expect(corrected).toBe('projet management');
  });
});

import { describe, expect, test } from 'vitest';
import { detectTextLanguage } from '../../../src/services/searching/text-language.ts';

const ENGLISH = 'We are looking for a data engineer who writes good SQL and likes to explain it.';
const FRENCH = 'Nous cherchons une boulangère expérimentée, capable de former des apprentis.';
const GERMAN = 'Wir suchen eine Bäckerin mit Erfahrung, die gern Lehrlinge ausbildet.';

describe('the language of a text', () => {
  test.each([
    ['English', ENGLISH, 'en'],
    ['French', FRENCH, 'fr'],
    ['German', GERMAN, 'de'],
    ['French without accents', 'Gestion de projet agile et animation des equipes', 'fr'],
    ['English headings', 'Consumer behaviour, segmentation and market research\nProduct, price, place', 'en'],
    ['French headings', 'Hygiène des mains, signes vitaux, prévention des infections', 'fr'],
    ['a short need', 'graduate econometrics', 'en'],
    ['French with an address', `Voir https://www.example.org/the-english-course-of-the-week ${FRENCH}`, 'fr'],
    ['French with an e-mail address', `${FRENCH} the.english.teacher.of.the.school@example.org`, 'fr'],
  ])('is found: %s', async (_name, text, lang) => {
    expect(await detectTextLanguage(text, ['en', 'fr', 'de'])).toEqual({ lang, isLangDetected: true });
  });

  test.each([
    ['a language that is not among those it may be', GERMAN, ['en', 'fr']],
    ['a word that several languages have', 'communication', ['en', 'fr']],
    ['numbers', '123 456 789 1011 1213 1415', ['en', 'fr']],
    ['nothing', '', ['en', 'fr']],
  ])('is English as long as nobody can tell: %s', async (_name, text, among) => {
    expect(await detectTextLanguage(text, among)).toEqual({ lang: 'en', isLangDetected: false });
  });
});

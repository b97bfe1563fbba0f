import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_TEXT_LENGTH } from '../../../src/domain/text.ts';
import { type Home, startHome } from './start-home.ts';

let home: Home;
beforeAll(async () => {
  home = await startHome();
});
afterAll(() => home.close());

/** The text area's text, as the page gives it back. */
const keptText = (page: string) => /<textarea[^>]*>([^<]*)<\/textarea>/.exec(page)?.[1];

describe('a good text', () => {
  test('gives its tags as links to their searches, and the text back', async () => {
    const response = await home.tag({ text: 'We teach Python & more.', lang: 'fr' });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const page = await response.text();
    expect(page).toContain('<a class="chip" href="/?q=Teaching">Teaching</a>');
    expect(keptText(page)).toBe('We teach Python &amp; more.');
    expect(page).toContain('<option value="fr" lang="fr" selected>');
    expect(home.learning.calls.tagger.at(-1)).toEqual({ text: 'We teach Python & more.', lang: 'fr' });
  });

  test('without tags says so', async () => {
    const none = await startHome({
      learning: { tagger: async ({ lang }) => ({ tokenizedText: '', lang, tags: [] }) },
    });
    const response = await none.tag({ text: 'zzz', lang: 'en' });
    expect(await response.text()).toContain('We recognised no skill or occupation.');
    await none.close();
  });

  test('without a language is read as what it is in, and that is said', async () => {
    const text = 'Nous cherchons une infirmière qui soigne les patients et donne les premiers secours.';
    const page = await (await home.tag({ text, lang: '' })).text();
    expect(home.learning.calls.tagger.at(-1)?.lang).toBe('fr');
    expect(page).toContain('Detected language: French.');
    expect(page).toContain('<option value="">');
  });

  test('may have a language nobody knows: it is found out instead', async () => {
    await home.tag({ text: 'We teach Python and much more to people.', lang: 'xx"><b>' });
    expect(home.learning.calls.tagger.at(-1)?.lang).toBe('en');
  });
});

describe('what cannot be tagged is told beside the field', () => {
  const send = (init: RequestInit) => fetch(`${home.url}/tags`, { method: 'POST', ...init });

  test.each([
    ['no text', { body: new URLSearchParams({ text: ' \n ' }) }],
    ['no field', { body: new URLSearchParams() }],
    ['the field twice', { body: new URLSearchParams('text=a&text=b') }],
    ['no body', {}],
    ['a JSON body', { body: '{"text":"a"}', headers: { 'content-type': 'application/json' } }],
    ['a file', { body: new FormData() }],
  ])('%s', async (_, init) => {
    const response = await send(init as RequestInit);
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toMatch(/<textarea[^>]* aria-invalid="true" aria-describedby="text-problem"/);
    expect(page).toContain('id="text-problem" role="alert">Paste a text first');
  });

  test('one character too many, with both numbers', async () => {
    const response = await home.tag({ text: 'a'.repeat(MAX_TEXT_LENGTH + 1) });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('The text has 20,001 characters; the limit is 20,000.');
  });
});

describe('the longest text is tagged', () => {
  test.each([
    ['in letters that take nine bytes each', '好'.repeat(MAX_TEXT_LENGTH)],
    ['in pairs of surrogates', '😀'.repeat(MAX_TEXT_LENGTH / 2)],
    ['with line ends, which a browser sends as two characters', 'ab\r\n'.repeat(6_666)],
  ])('%s', async (_, text) => {
    expect((await home.tag({ text })).status).toBe(200);
    expect(home.learning.calls.tagger.at(-1)?.text).toBe(text.replaceAll('\r\n', '\n').trim());
  });

  test('what is far too long is not even read', async () => {
    const response = await home.tag({ text: 'a'.repeat(1_000_000) });
    expect(response.status).toBe(413);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('shorter text');
  });
});

test('the form has a page of its own', async () => {
  const response = await home.get('/tags');
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('<form action="/tags" method="post"');
});

import { describe, expect, test } from 'vitest';
import type { LearningObject } from '../../../src/domain/learning-object.ts';
import { bareObject, createFakeLearningService } from '../../fakes/learning-service.ts';
import { startHome } from './start-home.ts';

const evil = `"'><script>alert(1)</script><b onclick="x">&`;

/** Nothing of the text may become markup: no element, no attribute. */
function expectHarmless(page: string) {
  expect(page).not.toContain('<script>');
  expect(page).not.toContain('<b ');
  expect(page).not.toMatch(/onclick="/);
}

describe('what people send is shown as text', () => {
  test.each(['q', 'provider', 'type', 'lang', 'free', 'price', 'page'])('%s', async (name) => {
    const home = await startHome();
    const query = new URLSearchParams({ q: 'python', [name]: evil });
    const response = await home.get(`/?${query}`);
    expect(response.status).toBe(200);
    const page = await response.text();
    expectHarmless(page);
    if (name === 'q') expect(page).toContain('value="&quot;');
    await home.close();
  });

  test('the text to tag', async () => {
    const home = await startHome();
    const page = await (await home.tag({ text: `</textarea>${evil}`, lang: evil })).text();
    expectHarmless(page);
    expect(page).toContain('&lt;/textarea&gt;');
    await home.close();
  });
});

describe('what a service sends is shown as text', () => {
  const object: LearningObject = {
    title: evil,
    url: `https://example.org/?${evil}`,
    description: evil,
    provider: evil,
    lang: '"b',
    address: evil,
    bloom: [evil],
    type: [evil],
    publisher: [evil],
    author: [evil],
  };
  const answer = (content: readonly LearningObject[]) => async () => ({
    ...(await createFakeLearningService().ask('searchProvider', { providers: [] } as never)),
    content,
    page: 0,
  });

  test('an object', async () => {
    const home = await startHome({ learning: { searchProvider: answer([object]) } });
    const page = await home.page('/?q=a');
    expectHarmless(page);
    expect(page).toContain('lang="&quot;b"');
    await home.close();
  });

  test('an object of which little is known leaves no gap', async () => {
    const home = await startHome({ learning: { searchProvider: answer([bareObject]) } });
    const page = await home.page('/?q=a');
    expect(page).toContain('Bare');
    expect(page).not.toMatch(/undefined|null/);
    await home.close();
  });

  test('terms, suggestions, tags and names', async () => {
    const home = await startHome({
      learning: {
        similar: async () => [{ label: evil, source: evil }],
        suggest: async () => ({
          keywordsTransformed: [],
          suggestions: [{ label: evil, score: 1 }],
          quality: 'A00',
        }),
        tagger: async () => ({ tokenizedText: '', lang: 'en', tags: [evil] }),
        listProviders: async () => [{ id: evil, name: evil, url: 'https://example.org', logos: [] }],
        listTypes: async () => [{ value: evil, description: evil }],
        listLanguages: async () => [{ value: evil, description: evil }],
        searchProvider: answer([]),
      },
      faces: [{ id: 'api', name: evil, isOn: true, note: evil, href: evil }],
    });
    for (const path of ['/', '/?q=a']) expectHarmless(await home.page(path));
    expectHarmless(await (await home.tag({ text: 'a' })).text());
    await home.close();
  });
});

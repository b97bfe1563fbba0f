import type { Request, Response } from 'express';
import { MAX_TEXT_LENGTH } from '#domain/text';
import { linkSkillPage } from '../object-view/skill-address.ts';
import { emptyForm } from '../search-view/search-form.ts';
import { views } from '../views.ts';
import { locales } from '../words/i18n.ts';
import { findLanguageName } from '../words/language-names.ts';
import { type HomePages, type HomeRoute, type Reader, readReader, sendPage } from './pages.ts';
import { writeAddress } from './search-address.ts';

/** Twice the longest text, 9 encoded bytes a character, so that a page says if one is too long. */
const MAX_FORM_BYTES = 2 * 9 * MAX_TEXT_LENGTH;

export const tagRoutes: readonly HomeRoute[] = [
  {
    method: 'get',
    path: '/tags',
    handle: (request, response, pages) => sendPage(response, renderTags(readReader(request, response, pages))),
  },
  { method: 'post', path: '/tags', maxFormBytes: MAX_FORM_BYTES, handle: showTags },
];

async function showTags(request: Request, response: Response, pages: HomePages): Promise<void> {
  await pages.limitSearches(request);
  // There is no body if the request has no form.
  const fields = (request.body ?? {}) as Record<string, unknown>;
  const reader = readReader(request, response, pages);
  const tagging = await tagPostedText(pages, fields, reader);
  response.status('problem' in tagging ? 400 : 200);
  response.type('html').set('Cache-Control', 'no-store');
  response.send(renderTags(reader, tagging));
}

const renderTags = (reader: Reader, tagging?: Awaited<ReturnType<typeof tagPostedText>>): string =>
  views.render('tags', { ...reader, tagging, maxTextLength: MAX_TEXT_LENGTH });

/** Tags a text in the chosen language, or in the language of the text if none is chosen. */
async function tagPostedText(pages: HomePages, fields: Readonly<Record<string, unknown>>, reader: Reader) {
  const { locale, signal } = reader;
  // A browser sends each line end as two characters and counts it as one.
  const text = typeof fields.text === 'string' ? fields.text.replaceAll('\r\n', '\n').trim() : '';
  const lang = locales.find((each) => each === fields.lang) ?? '';
  const problem = findTagsProblem(text, reader);
  if (problem !== undefined) return { text, lang, problem };
  const result = await pages.discovery.tagText(text, lang || undefined, { signal });
  const detected = result.isLangDetected ? findLanguageName(result.lang, locale) : undefined;
  const tags = result.tags.map((name, index) => ({
    name,
    href: linkSkillPage(pages, result.concepts?.[index]?.uri) ?? writeAddress(emptyForm, { q: name }),
    // Objects of tags are not counted.
    objects: '',
  }));
  return { text, lang, tags, detected };
}

function findTagsProblem(text: string, { t, locale }: Reader): string | undefined {
  if (text === '') return t('home.tags.empty');
  if (text.length <= MAX_TEXT_LENGTH) return undefined;
  const formatCount = (characters: number) => characters.toLocaleString(locale);
  return t('home.tags.tooLong', { length: formatCount(text.length), max: formatCount(MAX_TEXT_LENGTH) });
}

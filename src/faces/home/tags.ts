import express, { type Request, type Response, type Router } from 'express';
import { MAX_TEXT_LENGTH } from '#domain/text';
import type { Discovery } from '#services/searching/discovery';
import { emptyForm } from '../search-view/search-form.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { views } from '../views.ts';
import { findLanguageName } from '../words/language-names.ts';
import type { HomeFaceDeps } from './deps.ts';
import type { Limit } from './limiter.ts';
import { type Reader, readPageModel } from './page-model.ts';

/** Bytes of a form. A letter takes nine at most (three of UTF-8, percent-encoded); twice the
 *  longest text is still read, so that a text that is a little too long comes back with the problem
 *  beside it. */
const MAX_FORM_BYTES = 2 * 9 * MAX_TEXT_LENGTH;

export interface TagsOptions {
  readonly limitSearches: Limit;
  readReader(request: Request, response: Response): Reader;
}

/** The tags of a pasted text, on the front page. */
export function createTags(deps: HomeFaceDeps, { limitSearches, readReader }: TagsOptions): Router {
  const readForm = express.urlencoded({ extended: false, limit: MAX_FORM_BYTES });
  const router = createStrictRouter();
  router.get('/tags', (_request, response) => response.redirect('/#tag'));
  router.post('/tags', readForm, async (request, response) => {
    await limitSearches(request);
    // Anything but a form leaves no body.
    const fields = (request.body ?? {}) as Record<string, unknown>;
    const reader = readReader(request, response);
    const [model, tagging] = await Promise.all([
      readPageModel(deps, emptyForm, reader),
      tag(deps.discovery, fields, reader),
    ]);
    const page = views.render('home', { ...model, tagging });
    response
      .status(tagging.problem === undefined ? 200 : 400)
      .type('html')
      .set('Cache-Control', 'no-store')
      .send(page);
  });
  return router;
}

interface Tagging {
  readonly text: string;
  /** The chosen language; empty leaves it to the text. */
  readonly lang: 'en' | 'fr' | '';
  readonly problem?: string;
  readonly tags?: readonly string[];
  /** Name of the language that was found out from the text. */
  readonly detected?: string;
}

async function tag(
  discovery: Discovery,
  fields: Readonly<Record<string, unknown>>,
  reader: Reader,
): Promise<Tagging> {
  const { locale, signal } = reader;
  // A browser sends each line end as two characters and counts it as one.
  const text = typeof fields.text === 'string' ? fields.text.replaceAll('\r\n', '\n').trim() : '';
  const lang = fields.lang === 'fr' || fields.lang === 'en' ? fields.lang : '';
  const problem = findProblem(text, reader);
  if (problem !== undefined) return { text, lang, problem };
  const result = await discovery.tagText(text, lang || undefined, { signal });
  return {
    text,
    lang,
    tags: result.tags,
    ...(result.isLangDetected && { detected: findLanguageName(result.lang, locale) }),
  };
}

function findProblem({ length }: string, { t, locale }: Reader): string | undefined {
  if (length === 0) return t('home.tags.empty');
  if (length <= MAX_TEXT_LENGTH) return undefined;
  const count = (characters: number) => characters.toLocaleString(locale);
  return t('home.tags.tooLong', { length: count(length), max: count(MAX_TEXT_LENGTH) });
}

import express, { Router } from 'express';
import { MAX_TEXT_LENGTH } from '../../domain/text.ts';
import type { Discovery } from '../../services/discovery/discovery.ts';
import { abortedWith } from '../aborted-with.ts';
import { views } from '../views.ts';
import type { HomeFaceDeps } from './home-face.ts';
import type { Limit } from './limiter.ts';
import { readPageModel } from './page-model.ts';
import { languageName } from './result-view.ts';
import { readSearchForm } from './search-form.ts';

/** Bytes of a form. A letter takes nine at most (three of UTF-8, percent-encoded); twice the longest text is still read, so
 *  that a text somewhat too long comes back with the problem beside it. */
const MAX_FORM_BYTES = 2 * 9 * MAX_TEXT_LENGTH;

/** The tags of a pasted text, on the front page. */
export function createTags(deps: HomeFaceDeps, limit: Limit): Router {
  const readForm = express.urlencoded({ extended: false, limit: MAX_FORM_BYTES });
  const router = Router();
  router.get('/tags', (_request, response) => response.redirect('/#tag'));
  router.post('/tags', readForm, async (request, response) => {
    await limit(request);
    // Anything but a form leaves no body.
    const fields = (request.body ?? {}) as Record<string, unknown>;
    const signal = abortedWith(response);
    const [model, tagging] = await Promise.all([
      readPageModel(deps, readSearchForm('/'), signal),
      tag(deps.discovery, fields, signal),
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
  /** As it was chosen; empty leaves it to the text. */
  readonly lang: 'en' | 'fr' | '';
  readonly problem?: string;
  readonly tags?: readonly string[];
  /** Name of the language that was found out from the text. */
  readonly detected?: string;
}

async function tag(
  discovery: Discovery,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Tagging> {
  // A browser sends each line end as two characters and counts it as one.
  const text = typeof fields.text === 'string' ? fields.text.replaceAll('\r\n', '\n').trim() : '';
  const lang = fields.lang === 'fr' || fields.lang === 'en' ? fields.lang : '';
  const problem = problemOf(text);
  if (problem !== undefined) return { text, lang, problem };
  const found = await discovery.tagText(text, lang || undefined, { signal });
  return {
    text,
    lang,
    tags: found.tags,
    ...(found.isLangDetected && { detected: languageName(found.lang) }),
  };
}

function problemOf({ length }: string): string | undefined {
  if (length === 0) return 'Paste a text first: a job description, a syllabus, a paragraph.';
  if (length <= MAX_TEXT_LENGTH) return undefined;
  return `The text has ${count(length)} characters; at most ${count(MAX_TEXT_LENGTH)} can be tagged. Shorten it.`;
}

const count = (characters: number) => characters.toLocaleString('en');

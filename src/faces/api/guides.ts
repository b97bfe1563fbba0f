import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Request, Response, Router } from 'express';
import { projectRoot } from '#project-root';
import { createStrictRouter } from '../strict-paths.ts';
import { views } from '../views.ts';
import { type Languages, type Locale, locales } from '../words/i18n.ts';
import { remember } from './monitoring.ts';
import { type Guide, isImage, readGuideTitle, renderGuide } from './render-guide.ts';
import { readRequestQuery, requireRequestMethod } from './request.ts';
import { type GuideSection, searchGuides, splitGuide } from './search-guides.ts';

/** The documents that are pages of the host, in the order of their list. */
const guidePaths = [
  ...'instructors learners moodle canvas open-edx lti slack assistants admin importing taxonomy rights harvesting resource-search'
    .split(' ')
    .map((name) => `docs/guides/${name}.md`),
  'data/README.md',
  'docs/guides/api.md',
  'docs/errors.md',
  'docs/guides/operators.md',
  'docs/configuration.md',
  'docs/scaling.md',
  'docs/upstreams.md',
  'docs/guides/opensearch.md',
  'docs/lti-conformance.md',
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/glossary.md',
];

/** The guides of this version, with a search, in the reader's language where translated. */
export function createGuides(deps: { readonly languages: Languages; localeOf(request: Request): Locale }): Router {
  const { languages, localeOf } = deps;
  const router = createStrictRouter();
  const library = createLibrary();

  const sendPage = (request: Request, response: Response, view: string, locale: Locale, model: object): void => {
    const t = languages.translatorOf(locale);
    const page = views.render(`api/${view}`, { locale, t, here: request.originalUrl, ...model });
    response.vary('Accept-Language').vary('Cookie').type('html').send(page);
  };

  router.all('/docs/guides', requireRequestMethod('GET'), async (request, response) => {
    const locale = localeOf(request);
    const query = (new URLSearchParams(readRequestQuery(request)).get('q') ?? '').trim();
    const guides = library.listGuides(locale);
    const hits = query === '' ? null : searchGuides(await library.listSections(locale), query);
    sendPage(request, response, 'guides', locale, { guides, query, hits });
  });
  router.all('/docs/guides/:name', requireRequestMethod('GET'), (request, response, next) => {
    const locale = localeOf(request);
    const guides = library.listGuides(locale);
    const at = guides.findIndex(({ name }) => name === request.params.name);
    const guide = guides[at];
    if (guide === undefined) return next();
    sendPage(request, response, 'guide', locale, {
      guides,
      guide: { ...guide, ...library.renderPage(guide) },
      previous: guides[at - 1],
      following: guides[at + 1],
    });
  });
  for (const file of readdirSync(join(projectRoot, 'docs/images')).filter((name) => isImage(name))) {
    router.get(`/docs/images/${file}`, (_request, response) => {
      response.sendFile(file, { root: join(projectRoot, 'docs/images'), maxAge: '1d' });
    });
  }
  return router;
}

function createLibrary() {
  const names = new Map(
    guidePaths.flatMap((path) =>
      [path, ...locales.map((locale) => translationOf(path, locale))].map((each) => [each, nameGuide(path)] as const),
    ),
  );
  const renderOriginal = remember((path: string) => renderGuide(path, names));
  const renderTranslation = remember((path: string) =>
    renderGuide(path, names, renderOriginal(`docs/guides/${posix.basename(path)}`)),
  );
  const renderPage = ({ path, language }: Guide) => (language === 'en' ? renderOriginal : renderTranslation)(path);
  const listGuides = remember((locale: Locale): readonly Guide[] =>
    guidePaths.map((original) => {
      const translation = translationOf(original, locale);
      const isTranslated = existsSync(join(projectRoot, translation));
      const path = isTranslated ? translation : original;
      return { name: nameGuide(original), path, language: isTranslated ? locale : 'en', title: readGuideTitle(path) };
    }),
  );
  const listSections = remember(async (locale: Locale) => {
    const sections: GuideSection[] = [];
    for (const guide of listGuides(locale)) {
      sections.push(...splitGuide(guide, renderPage(guide)));
      // Other requests are answered in between.
      await setImmediate();
    }
    return sections;
  });
  return { listGuides, renderPage, listSections };
}

/** `data` for `data/README.md`, the name of the file for all others. */
const nameGuide = (path: string): string =>
  posix.basename(path === 'data/README.md' ? 'data' : path, '.md').toLowerCase();

const translationOf = (path: string, locale: Locale): string => `docs/guides/${locale}/${posix.basename(path)}`;

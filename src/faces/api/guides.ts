import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Request, Router } from 'express';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { projectRoot } from '#project-root';
import { createStrictRouter } from '../strict-paths.ts';
import { escapeHtml, views } from '../views.ts';
import type { Languages, Locale } from '../words/i18n.ts';
import { requireRequestMethod } from './request.ts';

interface Guide {
  readonly name: string;
  readonly title: string;
  /** Of the document, from the root of the project. */
  readonly path: string;
}

/** What guides lead to, beside each other. */
const others = {
  configuration: 'docs/configuration.md',
  errors: 'docs/errors.md',
  upstreams: 'docs/upstreams.md',
  scaling: 'docs/scaling.md',
  'lti-conformance': 'docs/lti-conformance.md',
  data: 'data/README.md',
};

/** The guides of this version, as pages of the host: who runs one need not look for them
 *  elsewhere. */
export function createGuides(deps: { readonly languages: Languages; localeOf(request: Request): Locale }): Router {
  const { languages, localeOf } = deps;
  const guides = listGuides();
  const guidesByName = new Map(guides.map((guide) => [guide.name, guide]));
  const pages = new Map<string, string>();
  const router = createStrictRouter();

  const render = (request: Request, model: object): string => {
    const locale = localeOf(request);
    const t = languages.translatorOf(locale);
    return views.render('api/guide', { locale, t, guides, here: request.originalUrl, ...model });
  };

  router.all('/docs/guides', requireRequestMethod('GET'), (request, response) => {
    response
      .vary('Accept-Language')
      .vary('Cookie')
      .type('html')
      .send(render(request, { guide: null }));
  });
  router.all('/docs/guides/:name', requireRequestMethod('GET'), (request, response, next) => {
    const guide = guidesByName.get(String(request.params.name));
    if (guide === undefined) return next();
    const html = pages.get(guide.name) ?? renderGuide(guide, guides);
    pages.set(guide.name, html);
    response.vary('Accept-Language').vary('Cookie').type('html').send(render(request, { guide, html }));
  });
  for (const file of readdirSync(join(projectRoot, 'docs/images')).filter((name) => isImage(name))) {
    router.get(`/docs/images/${file}`, (_request, response) => {
      response.sendFile(file, { root: join(projectRoot, 'docs/images'), maxAge: '1d' });
    });
  }
  return router;
}

const isImage = (name: string): boolean => /\.(?:png|svg)$/.test(name);

function listGuides(): readonly Guide[] {
  const own = readdirSync(join(projectRoot, 'docs/guides')).filter((file) => file.endsWith('.md'));
  const paths = [
    ...own.map((file) => [file.slice(0, -'.md'.length), `docs/guides/${file}`] as const),
    ...Object.entries(others),
  ];
  return paths.map(([name, path]) => {
    const [, title = name] = /^# (.+)$/m.exec(readGuide(path)) ?? [];
    return { name, path, title: title.replaceAll('`', '') };
  });
}

const readGuide = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** Markup that stands in a document is shown as text, and links lead to other guides, places of the
 *  page, or the web. */
function renderGuide({ path }: Guide, guides: readonly Guide[]): string {
  const taken = new Map<string, number>();
  const renderer: RendererObject = {
    html: ({ text }) => escapeHtml(text),
    heading({ depth, tokens }) {
      const html = this.parser.parseInline(tokens);
      return `<h${depth} id="${nameHeading(html, taken)}">${html}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const html = this.parser.parseInline(tokens);
      const address = findGuideAddress(href, path, guides);
      return address === null ? html : `<a href="${escapeHtml(address)}">${html}</a>`;
    },
    image({ href, text }) {
      const file = posix.join(posix.dirname(path), href);
      if (!file.startsWith('docs/images/') || !isImage(file)) return escapeHtml(text);
      return `<img src="/${escapeHtml(file)}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table(token) {
      return `<div class="table-scroll" tabindex="0">${renderTable(token, (tokens) => this.parser.parseInline(tokens))}</div>\n`;
    },
  };
  return new Marked({ gfm: true, renderer }).parse(readGuide(path), { async: false });
}

type RenderInline = (tokens: Tokens.TableCell['tokens']) => string;

function renderTable({ header, rows }: Tokens.Table, inline: RenderInline): string {
  const head = header.map(({ tokens }) => inline(tokens));
  const line = (cells: readonly Tokens.TableCell[]) =>
    `<tr>${cells.map(({ tokens }) => `<td>${inline(tokens)}</td>`).join('')}</tr>`;
  const heading = head.every((cell) => cell === '')
    ? ''
    : `<thead><tr>${head.map((cell) => (cell === '' ? '<td></td>' : `<th scope="col">${cell}</th>`)).join('')}</tr></thead>`;
  return `<table>${heading}<tbody>${rows.map(line).join('')}</tbody></table>`;
}

/** As GitHub names it, so that links between the documents work in both places.
 *  @param html what the heading says */
function nameHeading(html: string, taken: Map<string, number>): string {
  const words = html.replace(/<[^>]*>/g, '').replace(/&[a-z#\d]+;/gi, '');
  const name = words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  const count = taken.get(name) ?? 0;
  taken.set(name, count + 1);
  return count === 0 ? name : `${name}-${count}`;
}

/** Null where it leads to what is not here. */
function findGuideAddress(href: string, from: string, guides: readonly Guide[]): string | null {
  if (href.startsWith('#') || /^https?:\/\//.test(href)) return href;
  const [file = '', place] = href.split('#');
  const wanted = posix.join(posix.dirname(from), file);
  const guide = guides.find(({ path }) => path === wanted);
  if (guide === undefined) return null;
  return `/docs/guides/${guide.name}${place === undefined ? '' : `#${place}`}`;
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Request, Response, Router } from 'express';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { foldText, toOneLine } from '#domain/text';
import { projectRoot } from '#project-root';
import { createStrictRouter, readStrictQuery } from '../strict-paths.ts';
import { escapeHtml, views } from '../views.ts';
import { type Languages, type Locale, locales } from '../words/i18n.ts';
import { memoize } from './memoize.ts';
import { requireRequestMethod } from './request.ts';

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

interface GuidesDeps {
  readonly publicUrl: string;
  readonly languages: Languages;
  localeOf(request: Request): Locale;
}

/** Serves the guides in the reader's language, with a search, and a list for assistants. */
export function createGuides({ publicUrl, languages, localeOf }: GuidesDeps): Router {
  const router = createStrictRouter();
  const library = createGuideLibrary();

  const sendGuide = (request: Request, response: Response, view: string, locale: Locale, model: object): void => {
    const t = languages.translatorOf(locale);
    const page = views.render(`api/${view}`, { locale, t, here: request.originalUrl, ...model });
    response.vary('Accept-Language').vary('Cookie').type('html').send(page);
  };

  router.all('/docs/guides', requireRequestMethod('GET'), async (request, response) => {
    const locale = localeOf(request);
    const query = (readStrictQuery(request).get('q') ?? '').trim();
    const guides = library.listGuides(locale);
    const hits = query === '' ? null : searchGuides(await library.listSections(locale), query);
    sendGuide(request, response, 'guides', locale, { guides, query, hits });
  });
  router.all('/docs/guides/:name', requireRequestMethod('GET'), (request, response, next) => {
    const locale = localeOf(request);
    const guides = library.listGuides(locale);
    const index = guides.findIndex(({ name }) => name === request.params.name);
    const guide = guides[index];
    if (guide === undefined) return next();
    sendGuide(request, response, 'guide', locale, {
      guides,
      guide: { ...guide, ...library.renderPage(guide) },
      previous: guides[index - 1],
      following: guides[index + 1],
    });
  });
  // https://llmstxt.org
  router.all('/llms.txt', requireRequestMethod('GET'), (_request, response) => {
    const guides = library.listGuides('en').map(({ name, title }) => `- [${title}](${publicUrl}/docs/guides/${name})`);
    const description = 'Competency and learning-object search, in courses, chats, assistants and over HTTP.';
    const api = `- [HTTP API](${publicUrl}/openapi.json): OpenAPI 3.1\n- [Assistants](${publicUrl}/mcp): MCP`;
    response
      .type('text')
      .send(`# Skilldock\n\n> ${description}\n\n## API\n\n${api}\n\n## Guides\n\n${guides.join('\n')}\n`);
  });
  const images = join(projectRoot, 'docs/images');
  for (const file of readdirSync(images).filter((name) => isGuideImage(name)))
    router.get(`/docs/images/${file}`, (_request, response) => response.sendFile(file, { root: images, maxAge: '1d' }));
  return router;
}

function createGuideLibrary() {
  const names = new Map<string, string>();
  for (const path of guidePaths) {
    names.set(path, nameGuide(path));
    for (const locale of locales) names.set(translationOf(path, locale), nameGuide(path));
  }
  const renderOriginal = memoize((path: string) => renderGuide(path, names));
  const renderTranslation = memoize((path: string) =>
    renderGuide(path, names, renderOriginal(`docs/guides/${posix.basename(path)}`)),
  );
  const renderPage = ({ path, language }: Guide) => (language === 'en' ? renderOriginal : renderTranslation)(path);
  const listGuides = memoize((locale: Locale): readonly Guide[] =>
    guidePaths.map((original) => {
      const translation = translationOf(original, locale);
      const isTranslated = existsSync(join(projectRoot, translation));
      const path = isTranslated ? translation : original;
      return { name: nameGuide(original), path, language: isTranslated ? locale : 'en', title: readGuideTitle(path) };
    }),
  );
  const listSections = memoize(async (locale: Locale) => {
    const sections: GuideSection[] = [];
    for (const guide of listGuides(locale)) {
      sections.push(...splitGuide(guide, renderPage(guide)));
      // Lets other requests be answered between two guides.
      await setImmediate();
    }
    return sections;
  });
  return { listGuides, renderPage, listSections };
}

/** Names a guide after its file, but `data/README.md` after its folder. */
const nameGuide = (path: string): string =>
  posix.basename(path === 'data/README.md' ? 'data' : path, '.md').toLowerCase();

const translationOf = (path: string, locale: Locale): string => `docs/guides/${locale}/${posix.basename(path)}`;

type GuideSection = ReturnType<typeof splitGuide>[number];

const MAX_HITS = 20;
const MAX_CANDIDATES = 50;
const MAX_QUERY = 100;
const MAX_WORDS = 8;
const MAX_SENTENCE = 320;
/** Share of the best score that a section needs to be shown. */
const MIN_SHARE = 0.6;
const WORD = /([\p{L}\p{N}_]+)/u;
const BLOCK_END = /<\/(?:p|li|td|th|pre|h\d)>/;
const SENTENCE_END = /(?<=[.!?:])\s+(?=\p{Lu})/u;

const listGuideWords = (text: string): readonly string[] => foldText(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
const foldGuideWords = (text: string): string => ` ${listGuideWords(text).join(' ')}`;

function splitGuide(guide: Guide, { html, headings }: GuidePage) {
  const parts = html.split(/(?=<h\d id=")/).filter((part) => part.startsWith('<h'));
  return headings.map((heading, index) => {
    const [, ...blocks] = (parts[index] ?? '').split(BLOCK_END);
    const sentences = blocks
      .flatMap((block) => toOneLine(toPlainGuideText(block)).split(SENTENCE_END))
      .filter((text) => WORD.test(text))
      .map((text) => ({ text, folded: foldGuideWords(text) }));
    const foldedHeading = foldGuideWords(`${guide.title} ${heading.text}`);
    const foldedText = foldedHeading + sentences.map(({ folded }) => folded).join('');
    return { guide, heading, sentences, foldedHeading, foldedText };
  });
}

/** Finds at most 20 sections, best first, each with the pieces of its best sentence; a piece with
 *  `match` begins with a word of the query. Rare words count most; plurals match. Reads at most 100
 *  characters and 8 words of the query. @example searchGuides(sections, 'client id') */
function searchGuides(sections: readonly GuideSection[], query: string) {
  const words = listGuideWords(query.slice(0, MAX_QUERY)).map((word) =>
    word.length > 3 ? word.replace(/s$/, '') : word,
  );
  const roots = [...new Set(words)].slice(0, MAX_WORDS);
  const weights = roots.map((root) => {
    const count = sections.filter(({ foldedText }) => foldedText.includes(` ${root}`)).length;
    return { root: ` ${root}`, weight: Math.log((sections.length + 1) / (count + 0.5)) };
  });
  const weigh = (text: string): number =>
    weights.reduce((sum, { root, weight }) => (text.includes(root) ? sum + weight : sum), 0);
  const candidates = sections
    .map((section) => ({ section, score: weigh(section.foldedText) + weigh(section.foldedHeading) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_CANDIDATES)
    .map(({ section: { guide, heading, sentences }, score }) => {
      const [best] = sentences
        .map(({ text, folded }) => ({ text, weight: weigh(folded) }))
        .sort((a, b) => b.weight - a.weight);
      return { guide, heading, text: best?.text ?? '', score: score + (best?.weight ?? 0) };
    })
    .sort((a, b) => b.score - a.score);
  const least = (candidates[0]?.score ?? 0) * MIN_SHARE;
  return candidates
    .filter(({ score }) => score >= least)
    .slice(0, MAX_HITS)
    .map(({ guide, heading, text }) => ({ guide, heading, pieces: markGuideWords(text, roots) }));
}

function markGuideWords(sentence: string, roots: readonly string[]) {
  const text = sentence.length > MAX_SENTENCE ? `${sentence.slice(0, MAX_SENTENCE).trimEnd()}…` : sentence;
  const isMatch = (word: string) => roots.some((root) => foldText(word).startsWith(root));
  // The words are at odd places, as `WORD` captures them.
  return text.split(WORD).map((piece, index) => ({ text: piece, match: index % 2 === 1 && isMatch(piece) }));
}

interface Guide {
  readonly name: string;
  readonly path: string;
  readonly title: string;
  /** Language of the document; English if it is not translated. */
  readonly language: string;
}

interface GuidePage {
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly depth: number; readonly text: string }[];
}

const readGuide = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

const readGuideTitle = (path: string): string => (/^# (.+)$/m.exec(readGuide(path))?.[1] ?? path).replaceAll('`', '');

/** Renders a document as HTML. HTML in it is shown as text; links lead to other guides, headings of
 *  the page, or the web.
 *  @param path of the document, from the root of the project
 *  @param guideNames names of guides, by the paths of their documents
 *  @param original the page in English, whose ids of headings also work in a translation */
function renderGuide(path: string, guideNames: ReadonlyMap<string, string>, original?: GuidePage): GuidePage {
  const headings: GuidePage['headings'][number][] = [];
  const renderer: RendererObject = {
    html: ({ text }) => escapeHtml(text),
    heading({ depth, tokens }) {
      const html = this.parser.parseInline(tokens);
      const text = toPlainGuideText(html);
      const id = nameGuideHeading(text, headings);
      const originalId = original?.headings[headings.length]?.id ?? id;
      headings.push({ id, depth, text });
      const anchor = originalId === id ? '' : `<a id="${originalId}"></a>`;
      return `<h${depth} id="${id}">${anchor}${html.includes('<a ') ? html : `<a href="#${id}">${html}</a>`}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const html = this.parser.parseInline(tokens);
      const address = findGuideAddress(href, path, guideNames);
      return address === null ? html : `<a href="${escapeHtml(address)}">${html}</a>`;
    },
    image({ href, text }) {
      const file = posix.join(posix.dirname(path), href);
      if (!file.startsWith('docs/images/') || !isGuideImage(file)) return escapeHtml(text);
      return `<img src="/${escapeHtml(file)}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table(token) {
      return `<div class="table-scroll" tabindex="0">${renderGuideTable(token, (tokens) => this.parser.parseInline(tokens))}</div>\n`;
    },
  };
  return { html: new Marked({ gfm: true, renderer }).parse(readGuide(path), { async: false }), headings };
}

const isGuideImage = (name: string): boolean => /\.(?:png|svg)$/.test(name);

type RenderInline = (tokens: Tokens.TableCell['tokens']) => string;

function renderGuideTable({ header, rows }: Tokens.Table, inline: RenderInline): string {
  const head = header.map(({ tokens }) => inline(tokens));
  const renderLine = (cells: readonly Tokens.TableCell[]) =>
    `<tr>${cells.map(({ tokens }) => `<td>${inline(tokens)}</td>`).join('')}</tr>`;
  const heading = head.every((cell) => cell === '')
    ? ''
    : `<thead><tr>${head.map((cell) => (cell === '' ? '<td></td>' : `<th scope="col">${cell}</th>`)).join('')}</tr></thead>`;
  return `<table>${heading}<tbody>${rows.map(renderLine).join('')}</tbody></table>`;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** @example toPlainGuideText('<code>a &lt; b</code>') // 'a < b' */
const toPlainGuideText = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&([#\w]+);/g, (entity, name) => entities[name] ?? entity);

/** Names a heading as GitHub does, so that links between documents work in both places. */
function nameGuideHeading(text: string, earlier: GuidePage['headings']): string {
  const words = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  const name = words.replace(/\s/g, '-');
  const count = earlier.filter((heading) => heading.text === text).length;
  return count === 0 ? name : `${name}-${count}`;
}

/** Finds where a link of a guide leads on this host; null for a document that is not served. */
function findGuideAddress(href: string, from: string, guideNames: ReadonlyMap<string, string>): string | null {
  if (href.startsWith('#') || /^https?:\/\//.test(href)) return href;
  const [file = '', fragment] = href.split('#');
  const name = guideNames.get(posix.join(posix.dirname(from), file));
  if (name === undefined) return null;
  return `/docs/guides/${name}${fragment === undefined ? '' : `#${fragment}`}`;
}

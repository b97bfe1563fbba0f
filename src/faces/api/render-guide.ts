import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { projectRoot } from '#project-root';
import { escapeHtml } from '../views.ts';

export interface Guide {
  readonly name: string;
  /** Of the document, from the root of the project. */
  readonly path: string;
  readonly title: string;
  /** English where the guide is not translated. */
  readonly language: string;
}

export interface GuidePage {
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly depth: number; readonly text: string }[];
}

const readDocument = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

export const readGuideTitle = (path: string): string =>
  (/^# (.+)$/m.exec(readDocument(path))?.[1] ?? path).replaceAll('`', '');

/** Writes a document as HTML. Its markup is shown as text; links lead to other guides, headings of
 *  the page, or the web.
 *  @param path of the document, from the root of the project
 *  @param guideNames by the paths of their documents
 *  @param original the translated page: its headings' ids work here, too */
export function renderGuide(path: string, guideNames: ReadonlyMap<string, string>, original?: GuidePage): GuidePage {
  const headings: GuidePage['headings'][number][] = [];
  const renderer: RendererObject = {
    html: ({ text }) => escapeHtml(text),
    heading({ depth, tokens }) {
      const html = this.parser.parseInline(tokens);
      const text = toPlainText(html);
      const id = nameHeading(text, headings);
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
      if (!file.startsWith('docs/images/') || !isImage(file)) return escapeHtml(text);
      return `<img src="/${escapeHtml(file)}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table(token) {
      return `<div class="table-scroll" tabindex="0">${renderTable(token, (tokens) => this.parser.parseInline(tokens))}</div>\n`;
    },
  };
  return { html: new Marked({ gfm: true, renderer }).parse(readDocument(path), { async: false }), headings };
}

export const isImage = (name: string): boolean => /\.(?:png|svg)$/.test(name);

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

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** @example toPlainText('<code>a &lt; b</code>') // 'a < b' */
export const toPlainText = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&([#\w]+);/g, (entity, name) => entities[name] ?? entity);

/** As GitHub names it, so that links between the documents work in both places. */
function nameHeading(text: string, earlier: GuidePage['headings']): string {
  const words = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  const name = words.replace(/\s/g, '-');
  const count = earlier.filter((heading) => heading.text === text).length;
  return count === 0 ? name : `${name}-${count}`;
}

/** Null where it leads to what is not here. */
function findGuideAddress(href: string, from: string, guideNames: ReadonlyMap<string, string>): string | null {
  if (href.startsWith('#') || /^https?:\/\//.test(href)) return href;
  const [file = '', place] = href.split('#');
  const name = guideNames.get(posix.join(posix.dirname(from), file));
  if (name === undefined) return null;
  return `/docs/guides/${name}${place === undefined ? '' : `#${place}`}`;
}

/** Starts the viewer of the API reference, and fixes its accessibility. */

import { offerCopying } from './copy-buttons.ts';

interface React {
  createElement(type: unknown, props: object | null, ...children: unknown[]): unknown;
}

type Component = (props: object) => unknown;
type SwaggerUi = (options: Readonly<Record<string, unknown>>) => unknown;

declare const SwaggerUIBundle: SwaggerUi;

/** The viewer's introduction is outside of every landmark, and its headings skip a level. */
function addDocsStructure() {
  return {
    wrapComponents: {
      InfoContainer:
        (original: Component, { React }: { React: React }): Component =>
        (props) =>
          React.createElement('section', { 'aria-label': 'About the API' }, React.createElement(original, props)),
      operations:
        (original: Component, { React }: { React: React }): Component =>
        (props) =>
          React.createElement(
            'div',
            null,
            React.createElement('h2', { className: 'visually-hidden' }, 'Operations'),
            React.createElement(original, props),
          ),
    },
  };
}

interface RenderedDocument {
  readonly servers?: unknown;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RenderedOperation>>>>;
}

interface RenderedOperation {
  readonly operationId: string;
  readonly description?: string;
  readonly tags: readonly string[];
}

const GATEWAY = /^\/marketplace\//;

/** Removes the servers, as the viewer would offer a list of this one host, without a label; and the
 *  operations of the gateway, which are described where they are the same. */
async function loadDocsDocument(): Promise<object> {
  const response = await fetch('/openapi.json');
  const { servers: _, ...document } = (await response.json()) as RenderedDocument;
  const all = Object.entries(document.paths);
  const shared = new Set(all.flatMap(([path]) => (GATEWAY.test(path) ? path.replace(GATEWAY, '') : [])));
  const paths = all
    .filter(([path]) => !GATEWAY.test(path))
    .map(([path, methods]) => {
      const rendered = Object.entries(methods).map(
        ([method, each]) => [method, describeDocsGateway(each, shared)] as const,
      );
      return [path, Object.fromEntries(rendered)] as const;
    });
  const operations: readonly RenderedOperation[] = paths.flatMap(([, methods]) => Object.values(methods));
  const used = new Set(operations.flatMap((each) => each.tags));
  const tags = document.tags.filter(({ name }) => used.has(name));
  return { ...document, tags, paths: Object.fromEntries(paths) };
}

function describeDocsGateway(operation: RenderedOperation, shared: ReadonlySet<string>): RenderedOperation {
  const { operationId, description } = operation;
  if (!shared.has(operationId)) return operation;
  const also = `The same is at \`/marketplace/${operationId}\`, as a gateway has it, with a key in \`x-marketplace-key\`.`;
  return { ...operation, description: description === undefined ? also : `${description}\n\n${also}` };
}

type TriedRequest = { readonly url: string; readonly headers: Record<string, string> };

/** With the demo key, the Competency API can be tried out at once. */
function addDemoKey(request: TriedRequest): TriedRequest {
  const key = viewer?.dataset.demoKey;
  const { pathname } = new URL(request.url, location.href);
  if (key && pathname.startsWith('/domcomp/')) request.headers['x-api-key'] ??= key;
  return request;
}

/** The viewer's dark colours need this class. */
function followScreen(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const toggle = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', toggle);
  toggle();
}

const viewer = document.querySelector<HTMLElement>('#viewer');
followScreen();
offerCopying();

SwaggerUIBundle({
  spec: await loadDocsDocument(),
  dom_id: '#viewer',
  // With deep links the viewer puts links into buttons, which no keyboard can reach.
  deepLinking: false,
  defaultModelsExpandDepth: -1,
  docExpansion: 'list',
  validatorUrl: null,
  // Its lines do not wrap, and no keyboard scrolls them.
  syntaxHighlight: false,
  requestInterceptor: addDemoKey,
  plugins: [addDocsStructure],
});

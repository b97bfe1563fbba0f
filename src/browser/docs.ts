/** Starts the viewer of the API reference, and fixes its accessibility. */

import { offerCopying } from './copy-buttons.ts';

interface React {
  createElement(type: unknown, props: object | null, ...children: unknown[]): unknown;
}

type Component = (props: object) => unknown;
type SwaggerUi = (options: Readonly<Record<string, unknown>>) => unknown;

declare const SwaggerUIBundle: SwaggerUi;

/** Puts the viewer's introduction into a landmark, and adds the level of headings that it skips. */
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
  description?: string;
  readonly tags: readonly string[];
}

const GATEWAY = /^\/marketplace\//;

/** Removes the servers, as the viewer would offer a list of this one host, without a label; and the
 *  operations of the gateway, which are described where they are the same. */
async function loadDocsDocument(): Promise<object> {
  const response = await fetch('/openapi.json');
  const { servers: _, ...document } = (await response.json()) as RenderedDocument;
  const paths: Record<string, Readonly<Record<string, RenderedOperation>>> = {};
  const shared = new Set<string>();
  for (const [path, methods] of Object.entries(document.paths))
    if (GATEWAY.test(path)) shared.add(path.replace(GATEWAY, ''));
    else paths[path] = methods;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const operation of operations) describeDocsGateway(operation, shared);
  const usedTags = new Set(operations.flatMap(({ tags }) => tags));
  return { ...document, tags: document.tags.filter(({ name }) => usedTags.has(name)), paths };
}

/** Adds to the description of an operation that the gateway has it, too. */
function describeDocsGateway(operation: RenderedOperation, shared: ReadonlySet<string>): void {
  const { operationId, description = '' } = operation;
  if (!shared.has(operationId)) return;
  const note = `The same is at \`/marketplace/${operationId}\`, as a gateway has it, with a key in \`x-marketplace-key\`.`;
  operation.description = `${description}\n\n${note}`.trim();
}

type TriedRequest = { readonly url: string; readonly headers: Record<string, string> };

/** Adds the demo key, with which the Competency API can be tried out at once. */
function addDemoKey(request: TriedRequest): TriedRequest {
  const key = viewer?.dataset.demoKey;
  const { pathname } = new URL(request.url, location.href);
  if (key && pathname.startsWith('/domcomp/')) request.headers['x-api-key'] ??= key;
  return request;
}

/** Sets the class that the viewer's dark colours need. */
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

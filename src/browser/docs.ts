/** Starts the viewer of the API reference, and mends what keeps people with a screen reader from using it. */

interface React {
  createElement(type: unknown, props: object | null, ...children: unknown[]): unknown;
}

type Component = (props: object) => unknown;

type SwaggerUi = (options: Readonly<Record<string, unknown>>) => unknown;

declare const SwaggerUIBundle: SwaggerUi;

/** The viewer leaves its introduction outside of every landmark, and jumps from the title's heading over a level. */
function addStructure() {
  return {
    wrapComponents: {
      InfoContainer:
        (original: Component, { React }: { React: React }): Component =>
        (props) =>
          React.createElement(
            'section',
            { 'aria-label': 'About the API' },
            React.createElement(original, props),
          ),
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

/** The document without its servers: the viewer would offer a list of this one host, and without a label. */
async function loadDocument(): Promise<object> {
  const response = await fetch('/openapi.json');
  const { servers: _, ...rest } = (await response.json()) as { servers?: unknown };
  return rest;
}

SwaggerUIBundle({
  spec: await loadDocument(),
  dom_id: '#viewer',
  // With deep links the viewer puts links into buttons, which no keyboard can reach.
  deepLinking: false,
  defaultModelsExpandDepth: -1,
  docExpansion: 'list',
  validatorUrl: null,
  plugins: [addStructure],
});

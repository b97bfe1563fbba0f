/** Starts the viewer of the API reference. */

declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => unknown;

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  docExpansion: 'list',
  validatorUrl: null,
});

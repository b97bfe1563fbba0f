/** Marks a `Map` among plain data; no service calls a field like this. */
const MAP = '\u0000map';

/** An answer as JSON. Facets are Maps, which JSON does not know. */
export function stringifyAnswer(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    each instanceof Map ? { [MAP]: [...each.entries()] } : each,
  );
}

/** What was written, as it was. Throws where the text is no JSON. */
export function parseAnswer(text: string): unknown {
  return JSON.parse(text, (_name, each: unknown) => (isWrittenMap(each) ? new Map(each[MAP]) : each));
}

function isWrittenMap(value: unknown): value is { readonly [MAP]: [unknown, unknown][] } {
  return typeof value === 'object' && value !== null && MAP in value;
}

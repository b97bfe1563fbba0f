/** What tests look for in the text of a page. */

/** The text of a page without its tags, in one line, with the few entities that our templates write
 *  decoded. */
export function textOf(html: string): string {
  return decode(
    html
      .replace(/<(?:script|style|head)\b.*?<\/(?:script|style|head)>/gs, ' ')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' '),
  );
}

/** What a field of a form holds: the value of an input, the chosen options, the ticked boxes. Empty
 *  where there is none. */
export function valuesOf(html: string, name: string): string[] {
  const inputs = [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag);
  const own = inputs.filter((tag) => attributeOf(tag, 'name') === name);
  const isGroup = own.some((tag) => /type="(?:radio|checkbox)"/.test(tag));
  if (own.length > 0)
    return own.filter((tag) => !isGroup || / checked\b/.test(tag)).map((tag) => attributeOf(tag, 'value') ?? '');
  const select = new RegExp(`<select[^>]*name="${name}".*?</select>`, 's').exec(html)?.[0] ?? '';
  return [...select.matchAll(/<option\b[^>]*>/g)]
    .filter(([tag]) => / selected\b/.test(tag))
    .map(([tag]) => attributeOf(tag, 'value') ?? '');
}

/** The one value of a field; undefined where there is none. */
export const fieldOf = (html: string, name: string): string | undefined => valuesOf(html, name)[0];

/** What is said to be wrong beside a field. */
export function problemOf(html: string, name: string): string | undefined {
  const found = new RegExp(`<p class="problem" id="${name}-problem">(.*?)</p>`, 's').exec(html)?.[1];
  return found === undefined ? undefined : decode(found);
}

/** The rows of the table, without its head. */
export function rowsOf(html: string): string[] {
  const body = /<tbody\b[^>]*>(.*?)<\/tbody>/s.exec(html)?.[1] ?? '';
  return [...body.matchAll(/<tr\b[^>]*>(.*?)<\/tr>/gs)].map(([, row]) => textOf(row!).trim());
}

export function attributeOf(tag: string, name: string): string | undefined {
  const found = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : decode(found);
}

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

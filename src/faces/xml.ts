export type Xml = string;

/** Characters that XML 1.0 forbids, even escaped; `\p{Cs}` matches half a character. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

export const escapeXmlText = (text: string): Xml =>
  text.replace(FORBIDDEN, '').replace(/[&<>"\r]/g, (sign) => escapes[sign] ?? sign);

/** Writes an element; attributes that are undefined are left out. @param content already escaped */
export function writeElement(
  name: string,
  content: Xml | readonly Xml[],
  attributes: Readonly<Record<string, string | undefined>> = {},
): Xml {
  const defined = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXmlText(value)}"`],
  );
  const inner = typeof content === 'string' ? content : content.join('');
  return `<${name}${defined.join('')}${inner === '' ? '/>' : `>${inner}</${name}>`}`;
}

/** Writes an element for each text that is defined. @param texts not yet escaped */
export const writeTexts = (
  name: string,
  texts: readonly (string | undefined)[],
  attributes?: Readonly<Record<string, string | undefined>>,
): Xml => texts.map((text) => (text === undefined ? '' : writeElement(name, escapeXmlText(text), attributes))).join('');

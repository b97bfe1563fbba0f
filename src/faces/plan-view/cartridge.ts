import { strToU8, zipSync } from 'fflate';
import type { PlanContent, PlanItem, PlanSection } from '#domain/plan';
import { toOneLine } from '#domain/text';
import { escapeXmlText, writeElement, type Xml } from '../xml.ts';

/** Thin Common Cartridge 1.3, and Common Cartridge 1.1, the newest that Moodle imports. Ours have
 *  only sections and web links, as a link to a tool would match no installed tool.
 *  Source: imsglobal.org/cc/ccv1p3/imscc_Overview-v1p3.html, imsglobal.org/cc/ccv1p1. */
const cartridgeVersions = {
  '1.3': { schema: 'IMS Thin Common Cartridge', number: '1.3.0', part: 'v1p3' },
  '1.1': { schema: 'IMS Common Cartridge', number: '1.1.0', part: 'v1p1' },
} as const;
export type CartridgeVersion = keyof typeof cartridgeVersions;
export type CartridgePlan = PlanContent & { readonly id: string };

type DescribeItem = (item: PlanItem) => string;

const LOM = 'lomimscc';

/** Writes a file `.imscc` with all objects in the order of the plan. The first 500 bytes of the
 *  manifest name its version, as Moodle expects. */
export function writeCartridge(plan: CartridgePlan, version: CartridgeVersion, describe: DescribeItem): Uint8Array {
  const { part } = cartridgeVersions[version];
  const items = plan.sections.flatMap((section) => section.items);
  const xmlns = `http://www.imsglobal.org/xsd/imscc${part}/imswl_${part}`;
  const links = items.map(({ id, object: { title, url } }) => {
    const name = writeElement('title', escapeXmlText(toOneLine(title)));
    const address = writeElement('url', '', { href: url, target: '_blank' });
    return [toCartridgeLinkPath(id), strToU8(DECLARATION + writeElement('webLink', [name, address], { xmlns }))];
  });
  const manifest = strToU8(writeCartridgeManifest(plan, version, describe));
  return zipSync({ 'imsmanifest.xml': manifest, ...Object.fromEntries(links) });
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Makes an identifier of XML, which must begin with a letter, from the id of a part of a plan. */
const toIdentifier = (kind: 'P' | 'S' | 'I' | 'R', id: string) => `${kind}_${id}`;

const toCartridgeLinkPath = (id: string) => `links/${id}.xml`;

function writeCartridgeManifest(plan: CartridgePlan, version: CartridgeVersion, describe: DescribeItem): Xml {
  const { schema, number, part } = cartridgeVersions[version];
  const lang = plan.lang ?? 'en';
  const metadata = writeElement('metadata', [
    writeElement('schema', schema),
    writeElement('schemaversion', number),
    writeLom({ title: plan.name, description: '', lang }),
  ]);
  const folders = plan.sections.map((section) => writeCartridgeSection(section, lang, describe));
  const root = writeElement('item', folders, { identifier: 'root' });
  const organization = writeElement('organization', [writeElement('title', escapeXmlText(plan.name)), root], {
    identifier: 'organization',
    structure: 'rooted-hierarchy',
  });
  const resources = plan.sections.flatMap(({ items }) =>
    items.map(({ id }) => {
      const file = writeElement('file', '', { href: toCartridgeLinkPath(id) });
      return writeElement('resource', file, { identifier: toIdentifier('R', id), type: `imswl_xml${part}` });
    }),
  );
  const content = [metadata, writeElement('organizations', organization), writeElement('resources', resources)];
  return (
    DECLARATION +
    writeElement('manifest', content, {
      xmlns: `http://www.imsglobal.org/xsd/imscc${part}/imscp_v1p1`,
      [`xmlns:${LOM}`]: `http://ltsc.ieee.org/xsd/imscc${part}/LOM/manifest`,
      identifier: toIdentifier('P', plan.id),
    })
  );
}

function writeCartridgeSection({ id, title, text, items }: PlanSection, lang: string, describe: DescribeItem): Xml {
  const links = items.map((item) => {
    const name = writeElement('title', escapeXmlText(toOneLine(item.object.title)));
    const metadata = writeElement(
      'metadata',
      writeLom({ title: item.object.title, description: describe(item), lang }),
    );
    const identifiers = { identifier: toIdentifier('I', item.id), identifierref: toIdentifier('R', item.id) };
    return writeElement('item', [name, metadata], identifiers);
  });
  const about = text === '' ? [] : [writeElement('metadata', writeLom({ title, description: text, lang }))];
  const name = writeElement('title', escapeXmlText(title || '–'));
  return writeElement('item', [name, ...links, ...about], { identifier: toIdentifier('S', id) });
}

function writeLom({ title, description, lang }: Readonly<Record<'title' | 'description' | 'lang', string>>): Xml {
  const name = (element: string) => `${LOM}:${element}`;
  const write = (element: string, text: string) =>
    writeElement(name(element), writeElement(name('string'), escapeXmlText(text), { language: lang }));
  const general = [
    write('title', toOneLine(title)),
    ...(description === '' ? [] : [write('description', description)]),
  ];
  return writeElement(name('lom'), writeElement(name('general'), general));
}

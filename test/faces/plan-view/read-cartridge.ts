import { Parser } from 'htmlparser2';
import { expect } from 'vitest';
import { fromBuffer } from 'yauzl';
import type { CartridgeVersion } from '../../../src/faces/plan-view/cartridge.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** An independent reader: the file as a zip, then each document as XML, by the rules of the
 *  schemas. */
export async function readCartridge(bytes: Uint8Array, version: CartridgeVersion) {
  const part = version === '1.3' ? 'v1p3' : 'v1p1';
  const files = await unzip(bytes);
  const text = files.get('imsmanifest.xml')!;
  // Moodle decides by the first 500 bytes.
  expect(text.slice(0, 500)).toContain(`xmlns="http://www.imsglobal.org/xsd/imscc${part}/imscp_v1p1"`);
  const manifest = parse(text);
  expect(manifest.children.map(({ name }) => name)).toEqual(['metadata', 'organizations', 'resources']);
  const [metadata, organizations, resources] = manifest.children as [Element, Element, Element];
  expect(metadata.children.map(({ name }) => name)).toEqual(['schema', 'schemaversion', 'lomimscc:lom']);
  const identifiers = all(manifest).flatMap(({ attributes }) => attributes.identifier ?? []);
  expect(new Set(identifiers).size).toBe(identifiers.length);
  for (const identifier of identifiers) expect(identifier).toMatch(/^[A-Za-z_][\w.-]*$/);
  const [organization] = organizations.children as [Element];
  expect(organization.attributes.structure).toBe('rooted-hierarchy');
  const [, root] = organization.children as [Element, Element];
  const used = new Set<string>();
  const readLink = (link: Element) => {
    expect(link.children.map(({ name }) => name)).toEqual(['title', 'metadata']);
    const resource = resources.children.find(
      ({ attributes }) => attributes.identifier === link.attributes.identifierref,
    )!;
    expect(resource.attributes).toEqual({ identifier: link.attributes.identifierref, type: `imswl_xml${part}` });
    const { href = '' } = resource.children[0]!.attributes;
    used.add(href);
    const webLink = parse(files.get(href)!);
    expect(webLink).toMatchObject({
      name: 'webLink',
      attributes: { xmlns: `http://www.imsglobal.org/xsd/imscc${part}/imswl_${part}` },
    });
    const [title, url] = webLink.children as [Element, Element];
    expect(title.text).toBe(link.children[0]!.text);
    const description = all(link).find(({ name }) => name === 'lomimscc:description')!;
    return { title: title.text, url: url.attributes.href, description: description.children[0]!.text };
  };
  const read = root.children.map((folder) => {
    // The schemas want the description of a folder after its items.
    const order = folder.children.map(({ name }) => name).join(' ');
    expect(order).toMatch(/^title( item)*( metadata)?$/);
    const [title] = folder.children as [Element];
    return { title: title.text, links: folder.children.filter(({ name }) => name === 'item').map(readLink) };
  });
  // Nothing else is in the file, and no link to a tool.
  expect([...files.keys()].toSorted()).toEqual(['imsmanifest.xml', ...used].toSorted());
  expect(resources.children).toHaveLength(used.size);
  return read;
}

const all = (element: Element): Element[] => [element, ...element.children.flatMap(all)];

function parse(xml: string): Element {
  const document: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, attributes, children: [], text: '' };
        open.at(-1)!.children.push(element);
        open.push(element);
      },
      ontext(text) {
        open.at(-1)!.text += text;
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return document.children.find(({ name }) => !name.startsWith('?'))!;
}

function unzip(bytes: Uint8Array): Promise<ReadonlyMap<string, string>> {
  return new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      const files = new Map<string, string>();
      zip.on('entry', (entry: { fileName: string }) =>
        zip.openReadStream(entry as never, (failure, stream) => {
          if (failure) return reject(failure);
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('end', () => {
            files.set(entry.fileName, Buffer.concat(chunks).toString());
            zip.readEntry();
          });
        }),
      );
      zip.on('end', () => resolve(files));
      zip.readEntry();
    });
  });
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outbound } from '../../../src/ports/outbound.ts';

/** Files of real publishers, each cut down to what is special in it. */
export const realFiles = join(import.meta.dirname, 'real-files');

const OAI = '<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">';

/** A site and a repository whose answers are the files of a folder. */
export function serveFolder(folder: string): Outbound {
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : null);
  const prefix = existsSync(join(folder, 'record.xml')) ? 'oai_lom' : 'oai_dc';
  const answers: Record<string, () => Buffer | null> = {
    Identify: () => Buffer.from(`${OAI}<Identify><repositoryName>Repo</repositoryName></Identify></OAI-PMH>`),
    ListMetadataFormats: () =>
      read('ListMetadataFormats.xml') ??
      Buffer.from(
        `${OAI}<ListMetadataFormats><metadataFormat><metadataPrefix>${prefix}</metadataPrefix></metadataFormat></ListMetadataFormats></OAI-PMH>`,
      ),
  };
  return {
    async request(url) {
      const { pathname, searchParams } = new URL(url);
      const verb = searchParams.get('verb');
      const records = () =>
        read(`ListRecords-${searchParams.get('metadataPrefix')}.xml`) ?? read('ListRecords.xml') ?? read('record.xml');
      const body = verb === null ? read(pathname.slice(1)) : (answers[verb] ?? records)();
      const type = pathname.endsWith('.html') ? 'text/html; charset=utf-8' : 'application/xml';
      return {
        status: body === null ? 404 : 200,
        url,
        headers: { 'content-type': verb === null ? type : 'text/xml; charset=utf-8' },
        bytes: new Uint8Array(body ?? []),
        text: String(body ?? ''),
      };
    },
  };
}

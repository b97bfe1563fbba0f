import { startWebSite, type WebSite } from './web-site.ts';

export interface OaiRecord {
  readonly id: string;
  /** XML by the prefix of its format. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly isDeleted?: boolean;
  readonly set?: string;
}

/** A repository that takes OAI-PMH 2.0 at its word: other arguments than those of a verb, or a
 *  token with any beside it, are a badArgument; tokens are over as soon as another one was given,
 *  or `expireTokens` is called. */
export interface OaiRepository {
  readonly url: string;
  readonly site: WebSite;
  records: OaiRecord[];
  formats: string[];
  pageSize: number;
  expireTokens(): void;
  close(): Promise<void>;
}

const allowed: Readonly<Record<string, readonly string[]>> = {
  Identify: [],
  ListMetadataFormats: ['identifier'],
  ListRecords: ['from', 'until', 'set', 'metadataPrefix', 'resumptionToken'],
};

export async function startOaiRepository(): Promise<OaiRepository> {
  const site = await startWebSite();
  const tokens = new Map<string, { readonly at: number; readonly prefix: string; readonly set: string | null }>();
  let issued = 0;
  const repository: OaiRepository = {
    url: `${site.origin}/oai`,
    site,
    records: [],
    formats: ['oai_dc'],
    pageSize: 2,
    expireTokens: () => tokens.clear(),
    close: () => site.close(),
  };

  function answer(query: URLSearchParams): string {
    const verb = query.get('verb') ?? '';
    const names = [...query.keys()].filter((name) => name !== 'verb');
    if (allowed[verb] === undefined) return error('badVerb');
    if (names.some((name) => !allowed[verb]?.includes(name)) || new Set(names).size < names.length)
      return error('badArgument');
    if (verb === 'Identify') return '<Identify><repositoryName>Open Shelf &amp; Co</repositoryName></Identify>';
    if (verb === 'ListMetadataFormats') {
      const formats = repository.formats.map(
        (prefix) => `<metadataFormat><metadataPrefix>${prefix}</metadataPrefix></metadataFormat>`,
      );
      return `<ListMetadataFormats>${formats.join('')}</ListMetadataFormats>`;
    }
    return listRecords(query, names);
  }

  function listRecords(query: URLSearchParams, names: readonly string[]): string {
    const token = query.get('resumptionToken');
    if (token !== null && names.length > 1) return error('badArgument');
    const given = token === null ? undefined : tokens.get(token);
    if (token !== null && given === undefined) return error('badResumptionToken');
    const prefix = given?.prefix ?? query.get('metadataPrefix');
    if (prefix === null) return error('badArgument');
    if (!repository.formats.includes(prefix)) return error('cannotDisseminateFormat');
    const set = given?.set ?? query.get('set');
    const records = repository.records.filter((record) => set === null || record.set === set);
    if (records.length === 0) return error('noRecordsMatch');
    const at = given?.at ?? 0;
    const end = at + repository.pageSize;
    tokens.clear();
    if (end < records.length) tokens.set(`token/${++issued}`, { at: end, prefix, set });
    const next = [...tokens.keys()].map((name) => `<resumptionToken cursor="${at}">${name}</resumptionToken>`);
    const last = at > 0 && next.length === 0 ? ['<resumptionToken/>'] : next;
    return `<ListRecords>${records
      .slice(at, end)
      .map((record) => toXml(record, prefix))
      .join('')}${last.join('')}</ListRecords>`;
  }

  site.put('/oai?', (request, response) => {
    const { searchParams } = new URL(request.url ?? '', site.origin);
    response.setHeader('content-type', 'text/xml; charset=utf-8');
    response.end(wrap(answer(searchParams)));
  });
  return repository;
}

export function wrap(inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-03-01T10:00:00Z</responseDate>${inner}</OAI-PMH>`;
}

function error(code: string): string {
  return `<error code="${code}">It is ${code}.</error>`;
}

function toXml({ id, metadata, isDeleted = false }: OaiRecord, prefix: string): string {
  if (isDeleted) return `<record><header status="deleted"><identifier>${id}</identifier></header></record>`;
  return `<record><header><identifier>${id}</identifier></header><metadata>${metadata[prefix] ?? ''}</metadata></record>`;
}

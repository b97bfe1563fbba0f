import { hash } from 'node:crypto';
import type { ProviderRecord } from '#adapters/catalog/catalog-schema';
import { toObjectParts, toObjectProvider } from '#adapters/catalog/object-record';
import { showWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import { type ImportItem, type ImportRequest, type ImportSource, PositionLost } from '#ports/imports';
import { requireFetchedPage, type WebContext } from '../fetcher.ts';
import { decodeText, fingerprintWebRequest, nameWebDataset, nameWebSource, RESUMABLE_MS } from '../location.ts';
import { type OaiPage, readOaiPage, readRecordIdentifier, toRecordObjects } from './records.ts';

type Arguments = Readonly<Record<string, string>>;

const MAX_EMPTY_PAGES = 100;
/** Supported formats by name or namespace, the richest first. */
const FORMATS = [/^(?:oai_)?lom$/i, /ltsc\.ieee\.org\/xsd\/LOM|imsmd/i, /lom/i, /^oai_dc$/i, /oai_dc\//i, /dc/i];

/** Opens a repository with OAI-PMH 2.0: its records in LOM if it has that format, else in Dublin
 *  Core. `Identify` gives its name, `ListMetadataFormats` the formats, `ListRecords` pages of
 *  records with a token of the next page. An expired token (`badResumptionToken`) is a lost
 *  position: the list has to be read again. Source:
 *  https://www.openarchives.org/OAI/openarchivesprotocol.html */
export function openOaiSource(request: ImportRequest, context: WebContext): ImportSource {
  const { base, chosen } = readOaiBase(request.location);
  return {
    format: 'oai',
    dataset: nameWebDataset(request),
    title: nameWebSource(request),
    // A part of the period says nothing about the rest.
    covers: chosen.from === undefined && chosen.until === undefined ? [''] : [],
    fingerprint: fingerprintWebRequest(request),
    resumableForMs: RESUMABLE_MS,
    total: null,
    unit: 'rows',
    read: ({ after, signal }) => readOaiRecords({ request, context, base, chosen, signal }, after),
  };
}

/** Splits an address into the base address, and the arguments that choose records. */
function readOaiBase(location: string): { base: string; chosen: Arguments } {
  const url = new URL(location);
  const chosen = ['set', 'from', 'until', 'metadataPrefix'].flatMap((name) => {
    const value = url.searchParams.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  for (const name of ['verb', 'resumptionToken', 'set', 'from', 'until', 'metadataPrefix'])
    url.searchParams.delete(name);
  url.hash = '';
  return { base: url.href, chosen: Object.fromEntries(chosen) };
}

interface Reading {
  readonly request: ImportRequest;
  readonly context: WebContext;
  readonly base: string;
  readonly chosen: Arguments;
  readonly signal: AbortSignal;
}

/** The next page to read. */
interface Place {
  /** The format of metadata. */
  readonly prefix: string;
  readonly provider: ProviderRecord;
  /** Null at the beginning and at the end. */
  readonly token: string | null;
  readonly done: number;
}

async function* readOaiRecords(reading: Reading, after: string | null): AsyncGenerator<ImportItem> {
  let place: Place = after === null ? await startOaiHarvest(reading) : JSON.parse(after);
  if (after !== null && place.token === null) throw new PositionLost('the list was read to its end');
  const readPages = new Set<string>();
  let emptyPages = 0;
  do {
    const choice =
      place.token === null ? { ...reading.chosen, metadataPrefix: place.prefix } : { resumptionToken: place.token };
    const page = await fetchOaiPage(reading, { verb: 'ListRecords', ...choice });
    if (place.token === null && hasOaiError(page, 'noRecordsMatch')) return;
    if (place.token !== null && hasOaiError(page, 'badResumptionToken'))
      throw new PositionLost('the repository has forgotten the token');
    const [error] = page.errors;
    if (error !== undefined)
      throw new AppError(
        'IMPORT_INVALID',
        `The repository refuses the request (${error.code}): ${error.message || 'it says no more'}. Check the address, and what it asks for.`,
      );
    // The first record counts as well, as some repositories use one token for all pages.
    const mark = hash('sha256', JSON.stringify([page.token, readRecordIdentifier(page.records[0])]), 'base64url');
    emptyPages = page.records.length === 0 ? emptyPages + 1 : 0;
    if (page.token !== null && (readPages.has(mark) || emptyPages > MAX_EMPTY_PAGES))
      throw new AppError(
        'SOURCE_UNAVAILABLE',
        `The repository at ${new URL(reading.base).host} gives the same pages, or empty ones, over and over. Tell those who run it.`,
      );
    readPages.add(mark);
    place = { ...place, token: page.token, done: place.done + page.records.length };
    const objects = page.records.flatMap((record) => toRecordObjects(record, place.provider, reading.request.langs));
    const { length: rows } = page.records;
    yield { position: JSON.stringify(place), done: place.done, ...toObjectParts(objects), rows };
  } while (place.token !== null);
}

async function startOaiHarvest(reading: Reading): Promise<Place> {
  const { request, base, chosen } = reading;
  const { repositoryName } = await fetchOaiPage(reading, { verb: 'Identify' });
  const { formats } = await fetchOaiPage(reading, { verb: 'ListMetadataFormats' });
  const prefix = chosen.metadataPrefix ?? chooseOaiFormat(formats);
  const provider = toObjectProvider(repositoryName ?? request.provider, `${new URL(base).origin}/`, base);
  return { prefix, provider, token: null, done: 0 };
}

/** Chooses the richest supported format. Errors: IMPORT_INVALID if none is supported. */
function chooseOaiFormat(formats: OaiPage['formats']): string {
  // Every repository has to offer Dublin Core.
  if (formats.length === 0) return 'oai_dc';
  for (const pattern of FORMATS) {
    const format = formats.find(({ prefix, namespace }) => pattern.test(prefix) || pattern.test(namespace));
    if (format !== undefined) return format.prefix;
  }
  const offered = formats.map(({ prefix }) => prefix).join(', ');
  throw new AppError(
    'IMPORT_INVALID',
    `The repository offers ${offered.slice(0, 300)}, none of which is known to be LOM or Dublin Core. If one is, name it in the address: ?metadataPrefix=NAME`,
  );
}

/** Fetches an answer. Errors: SOURCE_UNAVAILABLE; IMPORT_INVALID for anything but a repository. */
async function fetchOaiPage({ context, base, signal }: Reading, query: Arguments): Promise<OaiPage> {
  const url = new URL(base);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const answer = await context.fetch(url.href, { signal, accept: 'text/xml, application/xml' });
  requireFetchedPage(answer);
  const page = readOaiPage(decodeText(answer.bytes, answer.headers['content-type']), showWebAddress(answer.url));
  if (page !== null) return page;
  throw new AppError(
    'IMPORT_INVALID',
    `${url.host} did not give a complete OAI-PMH answer. Check that the address is the base address of its OAI-PMH interface.`,
  );
}

const hasOaiError = ({ errors }: OaiPage, code: string): boolean => errors.some((error) => error.code === code);

import type { Provider } from '#domain/catalog';
import type { HarvestedItem, HarvestReader } from '#services/catalogue/harvest';
import { escapeXmlText, writeElement, writeTexts, type Xml } from '../xml.ts';
import { describeMetadataSchema, type MetadataFormat, metadataFormats } from './metadata.ts';

export interface OaiDeps {
  readonly harvest: HarvestReader;
  /** Lists the providers, each of which is a set. */
  listProviders(): Promise<readonly Provider[]>;
  readonly publicUrl: string;
  readonly operatorEmail: string;
}

/** `noMetadataFormats` is missing, as every record has all formats. */
type OaiErrorCode =
  | 'badArgument'
  | 'badResumptionToken'
  | 'badVerb'
  | 'cannotDisseminateFormat'
  | 'idDoesNotExist'
  | 'noRecordsMatch'
  | 'noSetHierarchy';

class OaiError extends Error {
  readonly code: OaiErrorCode;
  constructor(code: OaiErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

type Arguments = ReadonlyMap<string, string>;

interface Verb {
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  /** Whether `resumptionToken` may replace all other arguments. */
  readonly isList?: boolean;
  answer(deps: OaiDeps, args: Arguments): Promise<Xml>;
}

const selective = { required: ['metadataPrefix'], optional: ['from', 'until', 'set'], isList: true };

const verbs: Readonly<Record<string, Verb>> = {
  Identify: { answer: identifyOaiRepository },
  ListMetadataFormats: { optional: ['identifier'], answer: listOaiFormats },
  ListSets: { isList: true, answer: listOaiSets },
  GetRecord: { required: ['identifier', 'metadataPrefix'], answer: getOaiRecord },
  ListIdentifiers: { ...selective, answer: (deps, args) => listOaiItems(deps, args, 'headers') },
  ListRecords: { ...selective, answer: (deps, args) => listOaiItems(deps, args, 'records') },
};

/** How the protocol's XML Schema writes arguments, which an answer repeats. */
const argumentPatterns: Readonly<Record<string, RegExp>> = {
  metadataPrefix: /^[\w.!~*'()-]+$/,
  set: /^[\w.!~*'()-]+(?::[\w.!~*'()-]+)*$/,
  identifier: /^(?:[\w.!~*'();/?:@&=+$,#-]|%[\da-f]{2})+$/i,
};

const NAMESPACE = 'http://www.openarchives.org/OAI/2.0/';
const pageSizes = { records: 100, headers: 1_000 } as const;

/** Answers a request of OAI-PMH 2.0:
 *  1. The verb has all of its arguments and no others, each once, or only a resumption token.
 *  2. Lists are in the order of identifiers, which changes of the catalogue do not alter. A token
 *     holds the last identifier of its part, so nothing is stored for it and it never expires.
 *  3. Removed objects stay in the lists as deleted.
 *  Source: https://www.openarchives.org/OAI/openarchivesprotocol.html
 *  @param query of the request, without `?` */
export async function answerOai(deps: OaiDeps, query: string, now: Date): Promise<Xml> {
  const pairs = [...new URLSearchParams(query)];
  const params = new Map(pairs);
  const respond = (attributes: Readonly<Record<string, string>>, content: Xml) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(
      'OAI-PMH',
      [
        writeTexts('responseDate', [writeOaiInstant(now)]),
        writeElement('request', escapeXmlText(oaiBaseUrl(deps)), attributes),
        content,
      ],
      describeMetadataSchema(NAMESPACE, `${NAMESPACE}OAI-PMH.xsd`),
    )}\n`;
  try {
    const { name, verb } = readOaiVerb(params, pairs.length);
    return respond(Object.fromEntries(params), writeElement(name, await verb.answer(deps, params)));
  } catch (error) {
    if (!(error instanceof OaiError)) throw error;
    // The protocol has an answer repeat the arguments, unless they are wrong.
    const isRepeated = error.code !== 'badVerb' && error.code !== 'badArgument';
    const content = writeTexts('error', [error.message], { code: error.code });
    return respond(isRepeated ? Object.fromEntries(params) : {}, content);
  }
}

const oaiBaseUrl = ({ publicUrl }: OaiDeps) => `${publicUrl}/oai`;

function readOaiVerb(args: Arguments, count: number): { readonly name: string; readonly verb: Verb } {
  const name = args.get('verb') ?? '';
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) throw new OaiError('badVerb', `The verbs are ${Object.keys(verbs).join(', ')}.`);
  if (count > args.size) throw new OaiError('badArgument', 'An argument is given more than once.');
  const { required = [], optional = [], isList = false } = verb;
  const token = isList && args.has('resumptionToken') ? ['resumptionToken'] : null;
  const allowed = ['verb', ...(token ?? [...required, ...optional])];
  const unexpected = [...args.keys()].find((key) => !allowed.includes(key));
  if (unexpected !== undefined)
    throw new OaiError(
      'badArgument',
      `${name} does not take ${unexpected}${token ? ' beside a resumptionToken' : ''}.`,
    );
  const missing = (token === null ? required : []).find((key) => (args.get(key) ?? '') === '');
  if (missing !== undefined) throw new OaiError('badArgument', `${name} needs ${missing}.`);
  const illegal = [...args].find(([key, value]) => argumentPatterns[key]?.test(value) === false)?.[0];
  if (illegal !== undefined)
    throw new OaiError('badArgument', `The value of ${illegal} is not written as it has to be.`);
  return { name, verb };
}

async function identifyOaiRepository(deps: OaiDeps): Promise<Xml> {
  const host = new URL(deps.publicUrl).hostname;
  return [
    writeTexts('repositoryName', [`Skilldock at ${host}`]),
    writeTexts('baseURL', [oaiBaseUrl(deps)]),
    writeTexts('protocolVersion', ['2.0']),
    writeTexts('adminEmail', [deps.operatorEmail]),
    writeTexts('earliestDatestamp', [writeOaiInstant(await deps.harvest.findEarliest())]),
    writeTexts('deletedRecord', ['persistent']),
    writeTexts('granularity', ['YYYY-MM-DDThh:mm:ssZ']),
    // The schema of `oai-identifier` requires a domain name; an IP address or one word is none.
    DOMAIN.test(host) ? writeElement('description', describeOaiIdentifiers(host)) : '',
  ].join('');
}

const DOMAIN = /^[a-z][a-z\d-]*(?:\.[a-z][a-z\d-]*)+$/;

function describeOaiIdentifiers(host: string): Xml {
  const namespace = `${NAMESPACE}oai-identifier`;
  const content = [
    writeTexts('scheme', ['oai']),
    writeTexts('repositoryIdentifier', [host]),
    writeTexts('delimiter', [':']),
    writeTexts('sampleIdentifier', [`oai:${host}:AAAAAAAAAAAAAAAAAAAAAA`]),
  ];
  return writeElement('oai-identifier', content, describeMetadataSchema(namespace, `${namespace}.xsd`));
}

async function listOaiFormats(deps: OaiDeps, args: Arguments): Promise<Xml> {
  const identifier = args.get('identifier');
  if (identifier !== undefined) await findOaiItem(deps, identifier);
  return metadataFormats
    .map(({ prefix, schema, namespace }) =>
      writeElement('metadataFormat', [
        writeTexts('metadataPrefix', [prefix]),
        writeTexts('schema', [schema]),
        writeTexts('metadataNamespace', [namespace]),
      ]),
    )
    .join('');
}

async function listOaiSets(deps: OaiDeps, args: Arguments): Promise<Xml> {
  if (args.has('resumptionToken')) throw new OaiError('badResumptionToken', 'The list of sets has one part.');
  const providers = await deps.listProviders();
  if (providers.length === 0) throw new OaiError('noSetHierarchy', 'No provider has objects here.');
  return providers
    .map(({ id, name }) => writeElement('set', [writeTexts('setSpec', [id]), writeTexts('setName', [name])]))
    .join('');
}

async function getOaiRecord(deps: OaiDeps, args: Arguments): Promise<Xml> {
  const item = await findOaiItem(deps, args.get('identifier') ?? '');
  return writeOaiRecord(deps, item, findOaiFormat(args.get('metadataPrefix')));
}

async function findOaiItem(deps: OaiDeps, identifier: string): Promise<HarvestedItem> {
  const prefix = oaiIdentifierPrefix(deps);
  const item = identifier.startsWith(prefix) ? await deps.harvest.find(identifier.slice(prefix.length)) : null;
  if (item === null) throw new OaiError('idDoesNotExist', 'There is no record with this identifier.');
  return item;
}

function findOaiFormat(prefix: string | undefined): MetadataFormat {
  const format = metadataFormats.find((candidate) => candidate.prefix === prefix);
  if (format !== undefined) return format;
  const prefixes = metadataFormats.map((candidate) => candidate.prefix);
  throw new OaiError('cannotDisseminateFormat', `The formats are ${prefixes.join(', ')}.`);
}

/** The selection of a list and the place where it continues, as a resumption token holds them. */
interface ListState {
  readonly prefix: string;
  readonly set: string | null;
  readonly from: string | null;
  readonly until: string | null;
  readonly after: string;
  /** Number of items in the parts before this one. */
  readonly cursor: number;
}

async function listOaiItems(deps: OaiDeps, args: Arguments, content: keyof typeof pageSizes): Promise<Xml> {
  const token = args.get('resumptionToken');
  const state = token === undefined ? beginOaiList(args) : readOaiToken(token);
  const format = findOaiFormat(state.prefix);
  const selection = {
    providerId: state.set,
    from: state.from === null ? null : new Date(state.from),
    until: state.until === null ? null : new Date(state.until),
  };
  const limit = pageSizes[content];
  // One more, to see whether the list continues.
  const items = await deps.harvest.list(selection, { after: state.after, limit: limit + 1 });
  // The rest of a list may have changed meanwhile, but an answer needs at least one item.
  if (items.length === 0) throw new OaiError('noRecordsMatch', 'No record matches all of this.');
  const page = items.slice(0, limit);
  const after = items.length > limit ? page.at(-1)?.record.identifier : undefined;
  const list = page
    .map((item) => (content === 'records' ? writeOaiRecord(deps, item, format) : writeOaiHeader(deps, item)))
    .join('');
  if (token === undefined && after === undefined) return list;
  const next = after === undefined ? '' : writeOaiToken({ ...state, after, cursor: state.cursor + page.length });
  const size = await deps.harvest.count(selection);
  const attributes = { completeListSize: `${size}`, cursor: `${state.cursor}` };
  return list + writeElement('resumptionToken', next, attributes);
}

function beginOaiList(args: Arguments): ListState {
  const [from, until] = [readOaiDate(args.get('from'), 0), readOaiDate(args.get('until'), 1)];
  if (from !== null && until !== null && args.get('from')?.length !== args.get('until')?.length)
    throw new OaiError('badArgument', 'from and until have different granularities.');
  if (from !== null && until !== null && from >= until) throw new OaiError('badArgument', 'from is later than until.');
  const prefix = args.get('metadataPrefix') ?? '';
  return { prefix, set: args.get('set') ?? null, from, until, after: '', cursor: 0 };
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Reads the beginning of a day or second. @param added 1 for the next one. Errors: badArgument. */
function readOaiDate(text: string | undefined, added: 0 | 1): string | null {
  if (text === undefined) return null;
  const isDay = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text);
  const time = new Date(text).getTime();
  const isDate = (isDay || /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text)) && !Number.isNaN(time);
  if (!isDate || !new Date(time).toISOString().startsWith(text.slice(0, 10)))
    throw new OaiError('badArgument', 'from and until are written YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.');
  return new Date(time + added * (isDay ? DAY_MS : SECOND_MS)).toISOString();
}

const writeOaiToken = ({ prefix, set, from, until, after, cursor }: ListState): string =>
  Buffer.from(JSON.stringify([prefix, set, from, until, after, cursor])).toString('base64url');

function readOaiToken(token: string): ListState {
  try {
    const [prefix, set, from, until, after, cursor] = JSON.parse(Buffer.from(token, 'base64url').toString()) as [
      ...[string, string | null, string | null, string | null],
      ...[string, number],
    ];
    const isDate = (date: unknown) => date === null || (typeof date === 'string' && !Number.isNaN(Date.parse(date)));
    const isSet = set === null || typeof set === 'string';
    const isPosition = /^[\w-]{22}$/.test(after) && Number.isSafeInteger(cursor);
    const state = { prefix, set, from, until, after, cursor };
    if (isSet && isPosition && isDate(from) && isDate(until) && writeOaiToken(state) === token) return state;
  } catch {
    // Text that is no JSON is refused below.
  }
  throw new OaiError('badResumptionToken', 'This host did not give this token.');
}

/** Identifiers may not have the brackets of an IPv6 address. */
const oaiIdentifierPrefix = ({ publicUrl }: OaiDeps) => `oai:${new URL(publicUrl).hostname.replace(/[[\]]/g, '')}:`;

function writeOaiHeader(deps: OaiDeps, { record, object }: HarvestedItem): Xml {
  const content = [
    writeTexts('identifier', [oaiIdentifierPrefix(deps) + record.identifier]),
    writeTexts('datestamp', [writeOaiInstant(record.changedAt)]),
    // The provider is unknown where a tenant has hidden an object that it had added.
    writeTexts('setSpec', [record.providerId || undefined]),
  ];
  return writeElement('header', content, { status: object === null ? 'deleted' : undefined });
}

function writeOaiRecord(deps: OaiDeps, item: HarvestedItem, format: MetadataFormat): Xml {
  const metadata = item.object === null ? '' : writeElement('metadata', format.write(item.object));
  return writeElement('record', [writeOaiHeader(deps, item), metadata]);
}

const writeOaiInstant = (date: Date): string => date.toISOString().replace(/\.\d{3}Z$/, 'Z');

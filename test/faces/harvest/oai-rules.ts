import { Parser } from 'htmlparser2';

/** What the XML Schemas of OAI-PMH 2.0, `oai_dc`, `oai-identifier` and IEEE LOM (with any
 *  vocabulary) ask of elements. `content` has children in their order, as in a DTD; of `once` and
 *  `many` the order is free, and those of `once` come once at most. */
interface Rule {
  readonly content?: string;
  readonly once?: string;
  readonly many?: string;
  readonly text?: RegExp;
  readonly attributes?: Readonly<Record<string, RegExp>>;
}

const anything = /^.*$/s;
const instant = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const date = /^(?!0000)\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/;
const stamp = new RegExp(`${instant.source}|^(?!0000)\\d{4}-\\d\\d-\\d\\d$`);
const uri = /^(?:[\w.!~*'();/?:@&=+$,#-]|%[\da-f]{2})+$/i;
const prefix = /^[\w.!~*'()-]+$/;
const set = /^[\w.!~*'()-]+(?::[\w.!~*'()-]+)*$/;
const language = /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i;
const domain = '[a-z][a-z\\d-]*(?:\\.[a-z][a-z\\d-]*)+';

const verbs = 'Identify|ListMetadataFormats|ListSets|GetRecord|ListIdentifiers|ListRecords';
const codes =
  'badArgument|badResumptionToken|badVerb|cannotDisseminateFormat|idDoesNotExist|noMetadataFormats|noRecordsMatch|noSetHierarchy';
const text: Rule = { text: anything };
const texts: Rule = { many: 'string' };
const term: Rule = { once: 'source value' };
const dc: Rule = { text: anything, attributes: { 'xml:lang': language } };
const dcElements =
  'title creator subject description publisher contributor date type format identifier source language relation coverage rights'
    .split(' ')
    .map((name) => `dc:${name}`);

/** Rules of elements by name, or by `parent/name` where the parent decides. */
const rules: Readonly<Record<string, Rule>> = {
  'OAI-PMH': { content: `responseDate,request,(error+|${verbs})` },
  responseDate: { text: instant },
  request: {
    text: uri,
    attributes: {
      verb: new RegExp(`^(?:${verbs})$`),
      identifier: uri,
      metadataPrefix: prefix,
      from: stamp,
      until: stamp,
      set,
      resumptionToken: anything,
    },
  },
  error: { text: /^.+$/, attributes: { code: new RegExp(`^(?:${codes})$`) } },
  Identify: {
    content:
      'repositoryName,baseURL,protocolVersion,adminEmail+,earliestDatestamp,deletedRecord,granularity,compression*,description*',
  },
  repositoryName: text,
  baseURL: { text: uri },
  protocolVersion: { text: /^2\.0$/ },
  adminEmail: { text: /^\S+@(\S+\.)+\S+$/ },
  earliestDatestamp: { text: stamp },
  deletedRecord: { text: /^(?:no|persistent|transient)$/ },
  granularity: { text: /^YYYY-MM-DD(?:Thh:mm:ssZ)?$/ },
  'Identify/description': { content: 'oai-identifier' },
  'oai-identifier': { content: 'scheme,repositoryIdentifier,delimiter,sampleIdentifier' },
  scheme: { text: /^oai$/ },
  delimiter: { text: /^:$/ },
  repositoryIdentifier: { text: new RegExp(`^${domain}$`, 'i') },
  sampleIdentifier: { text: new RegExp(`^oai:${domain}:[\\w.!~*'();/?:@&=+$,%-]+$`, 'i') },
  ListMetadataFormats: { content: 'metadataFormat+' },
  metadataFormat: { content: 'metadataPrefix,schema,metadataNamespace' },
  metadataPrefix: { text: prefix },
  schema: { text: uri },
  metadataNamespace: { text: uri },
  ListSets: { content: 'set+,resumptionToken?' },
  set: { content: 'setSpec,setName,setDescription*' },
  setSpec: { text: set },
  setName: text,
  GetRecord: { content: 'record' },
  ListIdentifiers: { content: 'header+,resumptionToken?' },
  ListRecords: { content: 'record+,resumptionToken?' },
  record: { content: 'header,metadata?,about*' },
  header: { content: 'identifier,datestamp,setSpec*', attributes: { status: /^deleted$/ } },
  'header/identifier': { text: uri },
  datestamp: { text: stamp },
  resumptionToken: { text: anything, attributes: { completeListSize: /^[1-9]\d*$/, cursor: /^\d+$/ } },
  metadata: { content: '(oai_dc:dc|lom)' },

  'oai_dc:dc': { many: dcElements.join(' ') },
  ...Object.fromEntries(dcElements.map((name) => [name, dc])),

  lom: {
    once: 'general lifeCycle metaMetadata technical rights',
    many: 'educational relation annotation classification',
  },
  string: { text: anything, attributes: { language } },
  general: { once: 'title structure aggregationLevel', many: 'identifier language description keyword coverage' },
  identifier: { once: 'catalog entry' },
  title: texts,
  description: texts,
  keyword: texts,
  coverage: texts,
  catalog: text,
  entry: text,
  language: { text: language },
  lifeCycle: { once: 'version status', many: 'contribute' },
  contribute: { once: 'role date', many: 'entity' },
  role: term,
  entity: text,
  date: { once: 'dateTime description' },
  dateTime: { text: date },
  technical: {
    once: 'size installationRemarks otherPlatformRequirements duration',
    many: 'format location requirement',
  },
  location: text,
  educational: {
    once: 'interactivityType interactivityLevel semanticDensity difficulty typicalLearningTime',
    many: 'learningResourceType intendedEndUserRole context typicalAgeRange description language',
  },
  learningResourceType: term,
  typicalAgeRange: texts,
  difficulty: term,
  typicalLearningTime: { once: 'duration description' },
  duration: { text: /^P(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/ },
  rights: { once: 'cost copyrightAndOtherRestrictions description' },
  cost: term,
  copyrightAndOtherRestrictions: term,
  relation: { once: 'kind resource' },
  kind: term,
  resource: { many: 'identifier description' },
  classification: { once: 'purpose description', many: 'taxonPath keyword' },
  purpose: term,
  taxonPath: { once: 'source', many: 'taxon' },
  'taxonPath/source': texts,
  taxon: { once: 'id entry' },
  id: text,
  'taxon/entry': texts,
  source: text,
  value: text,
};

/** What is wrong in an answer of OAI-PMH, or in the metadata of a record. */
export function listOaiFaults(xml: string): string[] {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const handler = {
    onopentag(name: string, attributes: Readonly<Record<string, string>>) {
      const element: Element = { name, attributes, children: [], text: '' };
      open.at(-1)!.children.push(element);
      open.push(element);
    },
    ontext(text: string) {
      open.at(-1)!.text += text;
    },
    onclosetag() {
      open.pop();
    },
  };
  new Parser(handler, { xmlMode: true }).end(xml);
  return root.children.length === 1 ? listFaults(root.children[0]!, '') : ['not one outermost element'];
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  /** Without that of its children. */
  text: string;
}

function listFaults({ name, attributes, children, text: content }: Element, parent: string): string[] {
  const rule = rules[`${parent}/${name}`] ?? rules[name];
  if (rule === undefined) return [`no element is called ${name}`];
  const names = children.map((child) => child.name);
  const faults = Object.entries(attributes)
    .filter(([key]) => !key.startsWith('xmlns') && !key.startsWith('xsi:'))
    .filter(([key, value]) => rule.attributes?.[key]?.test(value) !== true)
    .map(([key, value]) => `${key}="${value}"`);
  if (!(rule.text ?? /^\s*$/).test(content)) faults.push(`the text “${content}”`);
  if (!hasContent(names, rule)) faults.push(`the elements ${names.join()}`);
  return [...faults.map((fault) => `${name} has ${fault}`), ...children.flatMap((child) => listFaults(child, name))];
}

function hasContent(names: readonly string[], { content, once = '', many = '' }: Rule): boolean {
  if (content !== undefined) {
    const model = content.replace(/[\w:-]+/g, '(?:$& )').replaceAll(',', '');
    return new RegExp(`^${model}$`).test(names.map((name) => `${name} `).join(''));
  }
  const [single, repeated] = [once.split(' '), many.split(' ')];
  const isAllowed = (name: string, index: number) =>
    repeated.includes(name) || (single.includes(name) && names.indexOf(name) === index);
  return names.every(isAllowed);
}

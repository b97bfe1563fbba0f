import { z } from 'zod';
import { parseCatalogAddresses } from './domain/catalog-addresses.ts';
import { isNeverCalled, parsePrivateHosts } from './domain/private-hosts.ts';
import type { SlackApp } from './domain/slack.ts';
import { AppError, type Problem } from './errors.ts';

export const MIN_SECRET_LENGTH = 32;
const MIN_PASSWORD_LENGTH = 12;

function wholeNumber(min: number, max: number) {
  const wanted = `a whole number from ${min} to ${max}`;
  return z.coerce.number(wanted).int(wanted).min(min, wanted).max(max, wanted);
}

/** A setting that is 1 or 0. */
const flag = (initial: '0' | '1') =>
  z
    .enum(['0', '1'], '1 or 0')
    .default(initial)
    .transform((text) => text === '1');

/** A text that a header can carry. */
const headerText = z.string().regex(/^[\x21-\x7e]+$/, 'letters, digits and signs of ASCII, without blanks');

/** A text that `parse` reads; null means that it cannot. */
const parsed = <T>(parse: (text: string) => T | null, wanted: string) =>
  z.string().transform((text, context): T => {
    const value = parse(text);
    if (value === null) context.addIssue({ code: 'custom', message: wanted });
    return value ?? z.NEVER;
  });

const exactAddress = z.url({ protocol: /^https?$/, error: 'an http or https address' }).refine(
  // A password in an address would be shown wherever the address is.
  (url) => !URL.canParse(url) || !/[@?#]/.test(url),
  'an address without a user, a query and a fragment',
);

const webAddress = exactAddress.transform((url) => url.replace(/\/+$/, ''));

/** The settings of the host, all optional; docs/configuration.md explains each one. An empty value
 *  counts as absent. */
const environment = z.object({
  /** TCP port; 0 takes any free one. */
  PORT: wholeNumber(0, 65_535).default(3000),
  /** Address to listen on; absent listens on all. */
  HOST: z.string().optional(),
  /** Where people reach the host, without a path; absent means http://localhost:PORT. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'an http or https address such as https://skills.example.org' })
    .refine((url) => !URL.canParse(url) || `${new URL(url).origin}/` === new URL(url).href, 'an address without a path')
    .transform((url) => new URL(url).origin)
    .optional(),
  /** Folder for everything the host writes. */
  DATA_DIR: z.string().default('./var'),
  /** At least 32 characters; absent: made at first start and kept in DATA_DIR. */
  SECRET_KEY: z.string().min(MIN_SECRET_LENGTH, `at least ${MIN_SECRET_LENGTH} characters`).optional(),
  /** Keys that SECRET_KEY followed, separated by commas: what is sealed or signed under them is
   *  still read. */
  SECRET_KEY_PREVIOUS: z
    .string()
    .transform((list) => list.split(',').map((key) => key.trim()))
    .refine(
      (keys) => keys.every(({ length }) => length >= MIN_SECRET_LENGTH),
      `keys of at least ${MIN_SECRET_LENGTH} characters, separated by commas`,
    )
    .optional(),
  /** Absent: the store is a file in DATA_DIR. */
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(?:\+srv)?:\/\/./, 'an address that begins with mongodb:// or mongodb+srv://')
    .optional(),
  /** Nodes of an OpenSearch that keeps the learning objects, with a user and a path for the names
   *  of its indexes; absent: the built-in engine. */
  CATALOG_URL: parsed(
    parseCatalogAddresses,
    'http or https addresses such as https://user:password@host:9200, separated by commas, all with the same user and path; a path is of lower-case letters, digits and hyphens, and so is no query',
  ).optional(),
  /** File of the certificate that those of the nodes are signed with. */
  CATALOG_CA: z.string().optional(),
  /** Instead of a user. A header has to carry it. */
  CATALOG_API_KEY: headerText.optional(),
  CATALOG_SHARDS: wholeNumber(1, 100).default(1),
  CATALOG_REPLICAS: wholeNumber(0, 10).default(1),
  /** What the default tenant searches in when it is first made; absent: the built-in engine. */
  UPSTREAM_URL: webAddress.optional(),
  UPSTREAM_API_KEY: z.string().optional(),
  MARKETPLACE_URL: webAddress.optional(),
  MARKETPLACE_KEY: z.string().optional(),
  /** Hosts that may be in private networks or on this machine, separated by commas: `host` or
   *  `host:port`. */
  ALLOW_PRIVATE: parsed(parsePrivateHosts, 'hosts with or without a port, such as 10.0.0.7:8080, separated by commas')
    .refine(
      (hosts) => !hosts.some(isNeverCalled),
      'no link-local address, none of the metadata of clouds, not 0.0.0.0 and no IPv6 form of an IPv4 address: these are never called',
    )
    .default([]),
  /** 1: what owners of the host enter may be in private networks and on this machine. */
  ALLOW_PRIVATE_UPSTREAM: flag('0'),
  /** 0: links that are in courses are not checked by the host itself. */
  CHECK_LINKS: flag('1'),
  /** 0: pictures of learning objects are neither fetched nor shown. */
  PICTURES: flag('1'),
  /** 0: nobody can harvest the catalogue at `/oai`. */
  OAI_PMH: flag('1'),
  /** 0: there is no 1EdTech Resource Search. */
  RESOURCE_SEARCH: flag('1'),
  /** 1: search engines may index the pages for everybody. */
  INDEXABLE: flag('0'),
  /** 0: learning objects have no pages of their own. */
  OBJECT_PAGES: flag('1'),
  /** 0: concepts have no pages, and taxonomies cannot be downloaded. */
  SKILL_PAGES: flag('1'),
  /** Names of taxonomies, separated by commas, that may be downloaded beside those whose licence
   *  allows it. */
  PUBLIC_TAXONOMIES: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((name) => name.trim() || [])),
  /** 0: searches have no feeds. */
  FEEDS: flag('1'),
  /** Of those who run this host, for harvesters. */
  OPERATOR_EMAIL: z.email('an e-mail address').optional(),
  /** 1: hosts on one store share the answers of upstreams. */
  SHARE_ANSWERS: flag('0'),
  /** Makes an owner `admin` if there is no administrator yet; absent: a set-up link is printed. */
  ADMIN_PASSWORD: z.string().min(MIN_PASSWORD_LENGTH, `at least ${MIN_PASSWORD_LENGTH} characters`).optional(),
  /** Kept unchanged: an issuer's name may end with a slash. */
  OIDC_ISSUER: exactAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** Its name on the button. */
  OIDC_NAME: z.string().max(50, 'at most 50 characters').default('Single sign-on'),
  /** Of the Slack app, as its page at api.slack.com shows them; absent: the admin page has them. */
  SLACK_SIGNING_SECRET: z.string().optional(),
  /** It stands in addresses: a token that was put here by mistake would be shown. */
  SLACK_CLIENT_ID: z
    .string()
    .regex(/^\d+\.\d+$/, 'two numbers with a dot in between')
    .optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  /** Of Slack's methods. */
  SLACK_API_URL: webAddress.default('https://slack.com/api').transform((url) => `${url}/`),
  /** For Socket Mode: Slack sends its requests over a socket that this host opens. */
  SLACK_APP_TOKEN: z
    .string()
    .regex(/^xapp-./, 'an app-level token, which begins with xapp-')
    .optional(),
  /** With what `skilldock mcp --host` asks a host. */
  SKILLDOCK_KEY: headerText.optional(),
  /** Of the machine: in which language `skilldock mcp` answers. */
  LANG: z.string().optional(),
  /** Absent: made at first start and kept in DATA_DIR. */
  DEMO_API_KEY: z.string().min(8, 'at least 8 characters').max(200).optional(),
  /** 1 or 0: whether there is a demo course at /demo, and a chat at /demo/slack; absent: only where
   *  PUBLIC_URL is absent too. */
  DEMO: z.enum(['0', '1'], '1 or 0').optional(),
  /** Number of proxies in front of the host whose X-Forwarded-For is believed. */
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  /** What `/metrics` asks for; absent: anyone may read it. A header has to carry it. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'at least 16 letters, digits and signs of ASCII, without blanks')
    .optional(),
  /** Address of an OpenTelemetry collector; absent: nothing is traced. Its libraries read it, and
   *  all else that begins with OTEL_. */
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  /** The same for traces alone, up to its end. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress.optional(),
  OTEL_SDK_DISABLED: z.enum(['true', 'false'], 'true or false').default('false'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

type Environment = z.output<typeof environment>;

export type Config = ReturnType<typeof toConfig>;

type Given = Readonly<Record<string, string>>;

/** Read the settings. Errors: CONFIG_INVALID with every problem at once, never with a value. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  ) as Given;
  const parsed = environment.safeParse(given);
  const wrong = parsed.error?.issues ?? [];
  const problems = [
    ...wrong.map(({ path, message }): Problem => ({ path: path.join('.'), problem: message })),
    ...missingCompanions(given),
  ];
  if (parsed.success && problems.length === 0) return toConfig(parsed.data, given);
  throw new AppError(
    'CONFIG_INVALID',
    'These settings cannot be used. Correct them in the environment and start again.',
    { problems },
  );
}

/** Of the models that hosts ran before meaning came with the program. */
const obsoleteSettings = ['MODEL', 'MODEL_SOURCE', 'EMBEDDINGS_URL', 'EMBEDDINGS_KEY', 'EMBEDDINGS_MODEL'];

/** Which setting needs which other one, and why. */
const companions: readonly (readonly [setting: string, needs: string, why: string])[] = [
  ['MONGODB_URI', 'SECRET_KEY', 'hosts that share a store seal its secrets under one key, so none can be made here'],
  ['UPSTREAM_API_KEY', 'UPSTREAM_URL', 'it is the address the key is for'],
  ['CATALOG_CA', 'CATALOG_URL', 'it is the address the certificate is for'],
  ['CATALOG_API_KEY', 'CATALOG_URL', 'it is the address the key is for'],
  ['MARKETPLACE_URL', 'UPSTREAM_URL', 'the gateway has no competency operations'],
  ['MARKETPLACE_KEY', 'MARKETPLACE_URL', 'it is the address the key is for'],
  ...allTogether(['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'], 'sign-in by OpenID Connect needs all three'),
  ...allTogether(['SLACK_SIGNING_SECRET', 'SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'], 'the Slack app needs all three'),
];

function allTogether(names: readonly string[], why: string) {
  return names.flatMap((name) => names.filter((other) => other !== name).map((other) => [name, other, why] as const));
}

function missingCompanions(given: Given): Problem[] {
  const missing = companions.filter(([setting, needs]) => setting in given && !(needs in given));
  const problems = missing.map(([setting, needs, why]) => ({
    path: needs,
    problem: `must be given with ${setting}: ${why}`,
  }));
  // Two settings may lack the same third one; one message is enough.
  return problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index);
}

function toConfig(data: Environment, given: Given) {
  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: data.PUBLIC_URL,
    dataDir: data.DATA_DIR,
    secretKey: data.SECRET_KEY,
    /** The latest first. */
    previousSecretKeys: data.SECRET_KEY_PREVIOUS ?? [],
    mongodbUri: data.MONGODB_URI,
    /** Where the learning objects are kept; undefined for our own engine. */
    catalog: toCatalog(data),
    demoApiKey: data.DEMO_API_KEY,
    /** With what `skilldock mcp --host` asks a host. */
    assistantKey: data.SKILLDOCK_KEY,
    /** Of the machine: `fr_FR.UTF-8`. */
    language: data.LANG,
    /** Whether there is a course to try the host without a learning management system. */
    hasDemo: data.DEMO === undefined ? data.PUBLIC_URL === undefined : data.DEMO === '1',
    /** What the default tenant begins with. */
    upstream: toUpstream(data),
    privateAccess: { hosts: data.ALLOW_PRIVATE, isOpenToOwners: data.ALLOW_PRIVATE_UPSTREAM },
    checksLinks: data.CHECK_LINKS,
    showsPictures: data.PICTURES,
    isHarvested: data.OAI_PMH,
    isIndexable: data.INDEXABLE,
    publishes: {
      objects: data.OBJECT_PAGES,
      skills: data.SKILL_PAGES,
      feeds: data.FEEDS,
      taxonomies: data.PUBLIC_TAXONOMIES,
    },
    operatorEmail: data.OPERATOR_EMAIL,
    hasResourceSearch: data.RESOURCE_SEARCH,
    shareAnswers: data.SHARE_ANSWERS,
    adminPassword: data.ADMIN_PASSWORD,
    oidc: toOidc(data),
    slack: {
      /** Undefined where the admin page may say it. */
      app: toSlackApp(data),
      /** With a slash at the end. */
      apiUrl: data.SLACK_API_URL,
      /** For Socket Mode. */
      appToken: data.SLACK_APP_TOKEN,
    },
    /** Names of settings that are given and do nothing any more. */
    obsolete: obsoleteSettings.filter((name) => name in given),
    trustProxy: data.TRUST_PROXY,
    metricsToken: data.METRICS_TOKEN,
    isTraced:
      (data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? data.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined &&
      data.OTEL_SDK_DISABLED === 'false',
    logLevel: data.LOG_LEVEL,
  };
}

function toCatalog(data: Environment) {
  if (data.CATALOG_URL === undefined) return undefined;
  const { CATALOG_CA: caFile, CATALOG_API_KEY: apiKey, CATALOG_SHARDS: shards, CATALOG_REPLICAS: replicas } = data;
  return { ...data.CATALOG_URL, caFile, apiKey, shards, replicas };
}

/** Addresses are without a slash at the end. */
function toUpstream(data: Environment) {
  if (data.UPSTREAM_URL === undefined) return undefined;
  return {
    url: data.UPSTREAM_URL,
    apiKey: data.UPSTREAM_API_KEY,
    marketplaceUrl: data.MARKETPLACE_URL,
    marketplaceKey: data.MARKETPLACE_KEY,
  };
}

function toOidc(data: Environment) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = data;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, name: data.OIDC_NAME };
}

function toSlackApp(data: Environment): SlackApp | undefined {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, SLACK_SIGNING_SECRET: signingSecret } = data;
  if (clientId === undefined || clientSecret === undefined || signingSecret === undefined) return undefined;
  return { clientId, clientSecret, signingSecret };
}

/** The settings of the default tenant's upstream, each by itself and as it was written: for a
 *  command that is given some of them in another way. */
export function readUpstreamConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const read = (name: string) => env[name]?.trim() || undefined;
  return {
    url: read('UPSTREAM_URL'),
    apiKey: read('UPSTREAM_API_KEY'),
    marketplaceUrl: read('MARKETPLACE_URL'),
    marketplaceKey: read('MARKETPLACE_KEY'),
  };
}

/** Variables by which Node.js finds certificates and the time zone, for processes that this one
 *  starts and that get no secret. */
export function readSystemVariables(env: Readonly<Record<string, string | undefined>> = process.env) {
  const names = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'TZ', 'SystemRoot'];
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

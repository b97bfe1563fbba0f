import { z } from 'zod';
import { parseAdminRoleRules } from './domain/admin.ts';
import { parseCatalogAddresses } from './domain/catalog-addresses.ts';
import { isNeverCalled, parsePrivateHosts } from './domain/private-hosts.ts';
import type { SlackApp } from './domain/slack.ts';
import { AppError, type Problem } from './errors.ts';

export const MIN_SECRET_LENGTH = 32;
const MIN_PASSWORD_LENGTH = 12;

function wholeNumber(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`;
  return z.coerce.number(expected).int(expected).min(min, expected).max(max, expected);
}

const flag = (initial: '0' | '1') =>
  z
    .enum(['0', '1'], '1 or 0')
    .default(initial)
    .transform((text) => text === '1');

const headerText = z.string().regex(/^[\x21-\x7e]+$/, 'letters, digits and signs of ASCII, without blanks');

/** Validates a text with a function that returns null for an invalid one. */
const parsed = <T>(parse: (text: string) => T | null, expectedText: string) =>
  z.string().transform((text, context): T => {
    const value = parse(text);
    if (value === null) context.addIssue({ code: 'custom', message: expectedText });
    return value ?? z.NEVER;
  });

const exactAddress = z.url({ protocol: /^https?$/, error: 'an http or https address' }).refine(
  // Pages and logs show addresses, and would show a password in them.
  (url) => !URL.canParse(url) || !/[@?#]/.test(url),
  'an address without a user, a query and a fragment',
);

const webAddress = exactAddress.transform((url) => url.replace(/\/+$/, ''));

/** All optional; docs/configuration.md explains them. An empty value counts as absent. */
const environment = z.object({
  /** 0 takes any free port. */
  PORT: wholeNumber(0, 65_535).default(3000),
  /** Absent: all addresses. */
  HOST: z.string().optional(),
  /** Public address of the host, without a path; absent: http://localhost:PORT. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'an http or https address such as https://skills.example.org' })
    .refine((url) => !URL.canParse(url) || `${new URL(url).origin}/` === new URL(url).href, 'an address without a path')
    .transform((url) => new URL(url).origin)
    .optional(),
  /** Folder for everything the host writes. */
  DATA_DIR: z.string().default('./var'),
  /** At least 32 characters; absent: created at the first start and stored in DATA_DIR. */
  SECRET_KEY: z.string().min(MIN_SECRET_LENGTH, `at least ${MIN_SECRET_LENGTH} characters`).optional(),
  /** Earlier values of SECRET_KEY, comma-separated, which still open and verify. */
  SECRET_KEY_PREVIOUS: z
    .string()
    .transform((list) => list.split(',').map((key) => key.trim()))
    .refine(
      (keys) => keys.every(({ length }) => length >= MIN_SECRET_LENGTH),
      `keys of at least ${MIN_SECRET_LENGTH} characters, separated by commas`,
    )
    .optional(),
  /** Absent: a file in DATA_DIR. */
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(?:\+srv)?:\/\/./, 'an address that begins with mongodb:// or mongodb+srv://')
    .optional(),
  /** Nodes of an OpenSearch that stores the learning objects, with a user and an index prefix as
   *  path; absent: the embedded engine. */
  CATALOG_URL: parsed(
    parseCatalogAddresses,
    'http or https addresses such as https://user:password@host:9200, separated by commas, all with the same user and path; a path is of lower-case letters, digits and hyphens, and so is no query',
  ).optional(),
  /** Certificate authority of the nodes. */
  CATALOG_CA: z.string().optional(),
  /** API key for the nodes, instead of a user and a password. */
  CATALOG_API_KEY: headerText.optional(),
  CATALOG_SHARDS: wholeNumber(1, 100).default(1),
  CATALOG_REPLICAS: wholeNumber(0, 10).default(1),
  /** Initial upstream of the default tenant; absent: the embedded engine. */
  UPSTREAM_URL: webAddress.optional(),
  UPSTREAM_API_KEY: z.string().optional(),
  MARKETPLACE_URL: webAddress.optional(),
  MARKETPLACE_KEY: z.string().optional(),
  /** Allowed hosts in private networks or on this machine, comma-separated. */
  ALLOW_PRIVATE: parsed(parsePrivateHosts, 'hosts with or without a port, such as 10.0.0.7:8080, separated by commas')
    .refine(
      (hosts) => !hosts.some(isNeverCalled),
      'no link-local address, none of the metadata of clouds, not 0.0.0.0 and no IPv6 form of an IPv4 address: these are never called',
    )
    .default([]),
  /** 1: owners of the host may enter addresses in private networks and on this machine. */
  ALLOW_PRIVATE_UPSTREAM: flag('0'),
  /** 0: the host does not check links in courses. */
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
  /** Taxonomies that may be downloaded though no licence allows it, separated by commas. */
  PUBLIC_TAXONOMIES: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((name) => name.trim() || [])),
  /** 0: searches have no feeds. */
  FEEDS: flag('1'),
  /** E-mail address of those who run this host, which harvesters and privacy pages show. */
  OPERATOR_EMAIL: z.email('an e-mail address').optional(),
  /** Where vulnerabilities are reported; absent: no `/.well-known/security.txt`. */
  SECURITY_CONTACT: z
    .union([z.email().transform((email) => `mailto:${email}`), z.url({ protocol: /^https$/ })], {
      error: 'an e-mail address, or an https address of a page',
    })
    .optional(),
  /** Page that says what those who look for vulnerabilities may do. */
  SECURITY_POLICY: z.url({ protocol: /^https$/, error: 'an https address' }).optional(),
  /** Address of the institution's own privacy policy. */
  PRIVACY_URL: webAddress.optional(),
  /** Address of the institution's own help page. */
  SUPPORT_URL: webAddress.optional(),
  /** Days after which records are removed; 0: never. */
  KEEP_ACTIVITY_DAYS: wholeNumber(0, 36_500).default(1_095),
  KEEP_SCORES_DAYS: wholeNumber(0, 36_500).default(400),
  KEEP_FEEDBACK_DAYS: wholeNumber(0, 36_500).default(1_095),
  KEEP_AUDIT_DAYS: wholeNumber(0, 36_500).default(1_095),
  KEEP_UPLOADS_DAYS: wholeNumber(0, 36_500).default(7),
  /** Folder for daily backups of the embedded store; absent: there are none. */
  BACKUP_DIR: z.string().optional(),
  /** Hour of the day, UTC. */
  BACKUP_HOUR: wholeNumber(0, 23).default(3),
  KEEP_BACKUPS_DAYS: wholeNumber(0, 36_500).default(14),
  /** 1: hosts on one store share the answers of upstreams. */
  SHARE_ANSWERS: flag('0'),
  /** Creates an owner `admin` if there is no owner; absent: a set-up link is printed. */
  ADMIN_PASSWORD: z.string().min(MIN_PASSWORD_LENGTH, `at least ${MIN_PASSWORD_LENGTH} characters`).optional(),
  /** A slash at the end is kept, as it is part of the issuer's name. */
  OIDC_ISSUER: exactAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** Claim of the provider that OIDC_ROLES reads. */
  OIDC_ROLE_CLAIM: z.string().default('groups'),
  /** Absent: administrators join by invitation only. */
  OIDC_ROLES: parsed(
    parseAdminRoleRules,
    'values with their roles, such as lib-admins=owner; lyon-staff=manager:lyon,paris; revision=auditor; with the roles owner, manager, auditor and viewer; after a colon ids of tenants, which managers need and owners do not have',
  ).optional(),
  OIDC_NAME: z.string().max(50, 'at most 50 characters').default('Single sign-on'),
  /** Signing secret of the Slack app, from api.slack.com; absent: the admin page has the app. */
  SLACK_SIGNING_SECRET: z.string().optional(),
  /** Checked, as addresses show it: a token entered by mistake would leak. */
  SLACK_CLIENT_ID: z
    .string()
    .regex(/^\d+\.\d+$/, 'two numbers with a dot in between')
    .optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  /** Base address of Slack's API methods. */
  SLACK_API_URL: webAddress.default('https://slack.com/api').transform((url) => `${url}/`),
  /** For Socket Mode: this host opens the socket over which Slack sends requests. */
  SLACK_APP_TOKEN: z
    .string()
    .regex(/^xapp-./, 'an app-level token, which begins with xapp-')
    .optional(),
  /** 1: links to pages of resources unfurl in Slack, for which the app needs two more scopes. */
  SLACK_LINKS: flag('0'),
  /** API key of `skilldock mcp --host`. */
  SKILLDOCK_KEY: headerText.optional(),
  /** Locale of the machine, such as `fr_FR.UTF-8`: the language of `skilldock mcp`. */
  LANG: z.string().optional(),
  /** Absent: created at the first start and stored in DATA_DIR. */
  DEMO_API_KEY: z.string().min(8, 'at least 8 characters').max(200).optional(),
  /** Demo course at /demo and chat at /demo/slack; absent: only without PUBLIC_URL. */
  DEMO: z.enum(['0', '1'], '1 or 0').optional(),
  /** Number of trusted proxies in front of the host, for X-Forwarded-For. */
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  /** Bearer token of `/metrics`; absent: anyone may read them. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'at least 16 letters, digits and signs of ASCII, without blanks')
    .optional(),
  /** Address of an OpenTelemetry collector; absent: no traces. Its libraries read it, and all other
   *  variables that begin with OTEL_. */
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  /** The complete address for traces. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress.optional(),
  OTEL_SDK_DISABLED: z.enum(['true', 'false'], 'true or false').default('false'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

type Environment = z.output<typeof environment>;
export type Config = ReturnType<typeof toConfig>;
type EnvironmentValues = Readonly<Record<string, string>>;

/** Reads all settings. Errors: CONFIG_INVALID with every problem at once, never with a value. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const settings = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  ) as EnvironmentValues;
  const result = environment.safeParse(settings);
  const issues = result.error?.issues ?? [];
  const problems = [
    ...issues.map(({ path, message }): Problem => ({ path: path.join('.'), problem: message })),
    ...findMissingCompanions(settings),
  ];
  if (result.success && problems.length === 0) return toConfig(result.data, settings);
  throw new AppError(
    'CONFIG_INVALID',
    'These settings cannot be used. Correct them in the environment and start again.',
    { problems },
  );
}

/** Settings of models, which have no effect as the program comes with vectors of its own. */
const obsoleteSettings = ['MODEL', 'MODEL_SOURCE', 'EMBEDDINGS_URL', 'EMBEDDINGS_KEY', 'EMBEDDINGS_MODEL'];

/** Settings that need another one, and why. */
const companions: readonly (readonly [setting: string, needs: string, why: string])[] = [
  ['MONGODB_URI', 'SECRET_KEY', 'hosts that share a store seal its secrets under one key, so none can be made here'],
  ['UPSTREAM_API_KEY', 'UPSTREAM_URL', 'it is the address the key is for'],
  ['CATALOG_CA', 'CATALOG_URL', 'it is the address the certificate is for'],
  ['CATALOG_API_KEY', 'CATALOG_URL', 'it is the address the key is for'],
  ['SECURITY_POLICY', 'SECURITY_CONTACT', 'security.txt needs a contact'],
  ['MARKETPLACE_URL', 'UPSTREAM_URL', 'the gateway has no competency operations'],
  ['MARKETPLACE_KEY', 'MARKETPLACE_URL', 'it is the address the key is for'],
  ['OIDC_ROLES', 'OIDC_ISSUER', 'its accounts have the roles'],
  ['OIDC_ROLE_CLAIM', 'OIDC_ROLES', 'it says what the values of the claim give'],
  ...allTogether(['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'], 'sign-in by OpenID Connect needs all three'),
  ...allTogether(['SLACK_SIGNING_SECRET', 'SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'], 'the Slack app needs all three'),
];

function allTogether(names: readonly string[], why: string) {
  return names.flatMap((name) => names.filter((other) => other !== name).map((other) => [name, other, why] as const));
}

function findMissingCompanions(settings: EnvironmentValues): Problem[] {
  const missing = companions.filter(([setting, needs]) => setting in settings && !(needs in settings));
  const problems = missing.map(([setting, needs, why]) => ({
    path: needs,
    problem: `must be given with ${setting}: ${why}`,
  }));
  // Two settings may lack the same third one; one message is enough.
  return problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index);
}

function toConfig(data: Environment, settings: EnvironmentValues) {
  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: data.PUBLIC_URL,
    dataDir: data.DATA_DIR,
    secretKey: data.SECRET_KEY,
    /** The latest first. */
    previousSecretKeys: data.SECRET_KEY_PREVIOUS ?? [],
    mongodbUri: data.MONGODB_URI,
    /** Undefined for the embedded engine. */
    catalog: toCatalogConfig(data),
    demoApiKey: data.DEMO_API_KEY,
    assistantKey: data.SKILLDOCK_KEY,
    /** Locale of the machine, such as `fr_FR.UTF-8`. */
    language: data.LANG,
    /** A course for trying the host without an LMS. */
    hasDemo: data.DEMO === undefined ? data.PUBLIC_URL === undefined : data.DEMO === '1',
    /** Initial upstream of the default tenant. */
    upstream: toUpstreamConfig(data),
    privateAccess: { hosts: data.ALLOW_PRIVATE, isOpenToOwners: data.ALLOW_PRIVATE_UPSTREAM },
    checksLinks: data.CHECK_LINKS,
    showsPictures: data.PICTURES,
    isHarvested: data.OAI_PMH,
    isIndexable: data.INDEXABLE,
    publishes: toPublishedConfig(data),
    operatorEmail: data.OPERATOR_EMAIL,
    security: toSecurityConfig(data),
    /** Without any of these, the privacy page advises people to ask their institution. */
    privacy: { contact: data.OPERATOR_EMAIL, policyUrl: data.PRIVACY_URL, supportUrl: data.SUPPORT_URL },
    keptDays: toKeptDaysConfig(data),
    /** Null for a store of MongoDB, which has tools of its own. */
    backups: toBackupConfig(data),
    hasIgnoredBackups: data.BACKUP_DIR !== undefined && data.MONGODB_URI !== undefined,
    hasResourceSearch: data.RESOURCE_SEARCH,
    shareAnswers: data.SHARE_ANSWERS,
    adminPassword: data.ADMIN_PASSWORD,
    oidc: toOidcConfig(data),
    slack: {
      /** Undefined if the admin page sets it. */
      app: toSlackAppConfig(data),
      /** With a slash at the end. */
      apiUrl: data.SLACK_API_URL,
      /** For Socket Mode. */
      appToken: data.SLACK_APP_TOKEN,
      unfurlsLinks: data.SLACK_LINKS,
    },
    /** Names of settings that are set and have no effect. */
    obsolete: obsoleteSettings.filter((name) => name in settings),
    trustProxy: data.TRUST_PROXY,
    metricsToken: data.METRICS_TOKEN,
    isTraced: isTracedByConfig(data),
    logLevel: data.LOG_LEVEL,
  };
}

function toCatalogConfig(data: Environment) {
  if (data.CATALOG_URL === undefined) return undefined;
  const { CATALOG_CA: caFile, CATALOG_API_KEY: apiKey, CATALOG_SHARDS: shards, CATALOG_REPLICAS: replicas } = data;
  return { ...data.CATALOG_URL, caFile, apiKey, shards, replicas };
}

/** Addresses are without a slash at the end. */
function toUpstreamConfig(data: Environment) {
  if (data.UPSTREAM_URL === undefined) return undefined;
  return {
    url: data.UPSTREAM_URL,
    apiKey: data.UPSTREAM_API_KEY,
    marketplaceUrl: data.MARKETPLACE_URL,
    marketplaceKey: data.MARKETPLACE_KEY,
  };
}

function toOidcConfig(data: Environment) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = data;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  const { OIDC_ROLE_CLAIM: claim, OIDC_ROLES: rules, OIDC_NAME: name } = data;
  return { issuer, clientId, clientSecret, name, roles: rules && { claim, rules } };
}

const toPublishedConfig = (data: Environment) => ({
  objects: data.OBJECT_PAGES,
  skills: data.SKILL_PAGES,
  feeds: data.FEEDS,
  taxonomies: data.PUBLIC_TAXONOMIES,
});

const toSecurityConfig = ({ SECURITY_CONTACT: contact, SECURITY_POLICY: policy }: Environment) =>
  contact === undefined ? undefined : { contact, policy };

const toKeptDaysConfig = (data: Environment) => ({
  activity: data.KEEP_ACTIVITY_DAYS,
  scores: data.KEEP_SCORES_DAYS,
  feedback: data.KEEP_FEEDBACK_DAYS,
  audit: data.KEEP_AUDIT_DAYS,
  uploads: data.KEEP_UPLOADS_DAYS,
});

function toBackupConfig(data: Environment) {
  if (data.BACKUP_DIR === undefined || data.MONGODB_URI !== undefined) return null;
  return { folder: data.BACKUP_DIR, hour: data.BACKUP_HOUR, keptDays: data.KEEP_BACKUPS_DAYS };
}

const isTracedByConfig = (data: Environment): boolean =>
  (data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? data.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined &&
  data.OTEL_SDK_DISABLED === 'false';

function toSlackAppConfig(data: Environment): SlackApp | undefined {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, SLACK_SIGNING_SECRET: signingSecret } = data;
  if (clientId === undefined || clientSecret === undefined || signingSecret === undefined) return undefined;
  return { clientId, clientSecret, signingSecret };
}

/** Returns the variables that child processes need: certificates and the time zone, no secrets. */
export function readSystemVariables(env: Readonly<Record<string, string | undefined>> = process.env) {
  const names = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'TZ', 'SystemRoot'];
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

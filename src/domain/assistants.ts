import { isPublicAddress } from './address-kinds.ts';
import { isLoopbackAddress } from './web-address.ts';

/** Tools of the Model Context Protocol; the last four require a person's sign-in. */
export const assistantTools = [
  'find_skills',
  'tag_text',
  'search_learning',
  'get_learning_object',
  'similar_objects',
  'plan_from_text',
  'give_feedback',
  'my_shelf',
  'place_in_course',
  'my_plans',
  'change_plan',
] as const;
export type AssistantTool = (typeof assistantTools)[number];
export type AssistantMetric = `tool-${AssistantTool}`;

export const toAssistantMetric = (tool: AssistantTool): AssistantMetric => `tool-${tool}`;

/** The only scope of the MCP endpoint, for API keys and tokens. */
export const ASSISTANT_SCOPE = 'mcp';

export const ASSISTANT_PATH = '/mcp';

/** @example toAdminPerson('ada') // 'admin:ada' */
export const toAdminPerson = (adminId: string): string => `admin:${adminId}`;

const MAX_REDIRECT_LENGTH = 2_000;
export const MAX_ASSISTANT_NAME = 100;

/** Schemes by RFC 8252, section 7.1, or of well-known assistants. Others may open any program. */
const PROGRAM_SCHEME = /^(?:[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+|cursor|vscode|vscode-insiders|claude):$/;

/** Excludes characters that parsers read differently: spaces, backslashes, missing slashes. */
const UNAMBIGUOUS = /^(?!https?:(?!\/\/[^/]))[\x21-\x5b\x5d-\x7e]+$/i;

/** Accepts https, loopback addresses, and the schemes of programs. */
export function isAssistantRedirect(text: string): boolean {
  if (text.length > MAX_REDIRECT_LENGTH || !UNAMBIGUOUS.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  if (text.includes('#') || username !== '' || password !== '') return false;
  if (protocol === 'http:') return isLoopbackAddress(text);
  return protocol === 'https:' || PROGRAM_SCHEME.test(protocol);
}

/** Ignores the port of a local program, which may change each time (RFC 8252, section 7.3). */
export function isSameAssistantRedirect(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  if (![registered, requested].every((url) => /^http:/i.test(url) && isAssistantRedirect(url))) return false;
  const [registeredUrl, requestedUrl] = [new URL(registered), new URL(requested)];
  registeredUrl.port = requestedUrl.port;
  return registeredUrl.href === requestedUrl.href;
}

/** Returns whether a client ID is the address of a metadata document. */
export function isMetadataAddress(clientId: string): boolean {
  if (!/^https:\/\//.test(clientId) || clientId.length > MAX_REDIRECT_LENGTH || !URL.canParse(clientId)) return false;
  const { pathname, hash, username, password, href } = new URL(clientId);
  return pathname !== '/' && hash === '' && username === '' && password === '' && href === clientId;
}

interface AssistantSetup {
  readonly id: 'claude' | 'chatgpt' | 'vscode' | 'cursor' | 'copilot';
  readonly name: string;
  /** An address or the content of a file, to be copied. */
  readonly text: string;
  /** An address that the program opens to add the host; null if it has none. */
  readonly installLink: string | null;
  /** False for an assistant in the cloud where the host is not reached from the Internet. */
  readonly isReachable: boolean;
}

/** Lists how to add this host to the most used assistants. Each starts the sign-in by itself.
 *  Source: support.claude.com, "Custom connectors using remote MCP"; OpenAI, "Developer mode";
 *  VS Code, "MCP developer guide"; Cursor, "MCP install links"; GitHub, "Adding MCP servers for
 *  Copilot CLI". */
export function listAssistantSetups(publicUrl: string): readonly AssistantSetup[] {
  const url = publicUrl + ASSISTANT_PATH;
  const writeSetup = (server: object) => JSON.stringify({ mcpServers: { skilldock: server } }, null, 2);
  const server = encodeURIComponent(JSON.stringify({ name: 'skilldock', type: 'http', url }));
  const config = encodeURIComponent(btoa(JSON.stringify({ url })));
  const inCloud = { text: url, installLink: null, isReachable: isOnInternet(publicUrl) };
  const onDesk = { text: url, installLink: null, isReachable: true };
  return [
    { id: 'claude', name: 'Claude', ...inCloud },
    { id: 'chatgpt', name: 'ChatGPT', ...inCloud },
    { id: 'vscode', name: 'VS Code', ...onDesk, installLink: `vscode:mcp/install?${server}` },
    {
      id: 'cursor',
      name: 'Cursor',
      ...onDesk,
      text: writeSetup({ url }),
      installLink: `cursor://anysphere.cursor-deeplink/mcp/install?name=skilldock&config=${config}`,
    },
    { id: 'copilot', name: 'GitHub Copilot CLI', ...onDesk, text: writeSetup({ type: 'http', url, tools: ['*'] }) },
  ];
}

/** Names of hosts that only a local network resolves. */
const LOCAL_NAME = /^[^.]+$|\.(?:local|localhost|internal|intranet|lan|home|corp|test|invalid)$/;

/** Returns whether services of the Internet can call a host at this address. */
export function isOnInternet(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol !== 'https:' || isLoopbackAddress(publicUrl)) return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  return /^[\d.]+$|:/.test(host) ? isPublicAddress(host) : !LOCAL_NAME.test(host);
}

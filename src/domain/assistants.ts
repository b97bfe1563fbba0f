import { isLoopback } from './loopback.ts';

/** What assistants can ask for over the Model Context Protocol; the last two for those who signed in as a person. */
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
] as const;
export type AssistantTool = (typeof assistantTools)[number];

/** What its calls are counted under. */
export type AssistantMetric = `tool-${AssistantTool}`;

export const toAssistantMetric = (tool: AssistantTool): AssistantMetric => `tool-${tool}`;

/** The one scope of the endpoint, of API keys and of tokens. */
export const ASSISTANT_SCOPE = 'mcp';

/** Path of the endpoint. */
export const ASSISTANT_PATH = '/mcp';

/** An administrator who signed in for an assistant, as shelves name people. */
export const toAdminPerson = (adminId: string): string => `admin:${adminId}`;

/** Characters of an address that codes are sent to, and of what an assistant calls itself. */
export const MAX_REDIRECT_LENGTH = 2_000;
export const MAX_ASSISTANT_NAME = 100;

/** Schemes of programs: named after a domain that their makers have (RFC 8252, section 7.1), or those of well-known assistants. Any other
 *  may open what it should not. */
const PROGRAM_SCHEME = /^(?:[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+|cursor|vscode|vscode-insiders|claude):$/;

/** Nothing that one reader of addresses takes for a part of it and another does not: blanks, backslashes, a site without its slashes. */
const WRITTEN_OUT = /^(?!https?:(?!\/\/[^/]))[\x21-\x5b\x5d-\x7e]+$/i;

/** Whether codes may be sent there: to a site over https, to a program on the person's machine, over http to loopback addresses only, or
 *  to one that opens addresses of its own scheme. */
export function isRedirectUri(text: string): boolean {
  if (text.length > MAX_REDIRECT_LENGTH || !WRITTEN_OUT.test(text) || !URL.canParse(text)) return false;
  const { protocol, hash, username, password } = new URL(text);
  if (hash !== '' || text.includes('#') || username !== '' || password !== '') return false;
  if (protocol === 'http:') return isLoopback(text);
  return protocol === 'https:' || PROGRAM_SCHEME.test(protocol);
}

/** Whether a code may be sent to `asked`, where the assistant registered `registered`: to exactly that; a program on the person's machine
 *  may listen on another port each time (RFC 8252, section 7.3). */
export function isSameRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  if (![registered, asked].every((each) => /^http:/i.test(each) && isRedirectUri(each))) return false;
  const [one, other] = [new URL(registered), new URL(asked)];
  one.port = '';
  other.port = '';
  return one.href === other.href;
}

/** Whether an assistant's id is the address of a document that says what it is. */
export function isMetadataAddress(clientId: string): boolean {
  if (!/^https:\/\//.test(clientId) || clientId.length > MAX_REDIRECT_LENGTH || !URL.canParse(clientId))
    return false;
  const { pathname, hash, username, password, href } = new URL(clientId);
  return pathname !== '/' && hash === '' && username === '' && password === '' && href === clientId;
}

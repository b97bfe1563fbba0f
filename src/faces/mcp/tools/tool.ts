import type { ToolInput, ToolObject, ToolOutput } from '#contract/index';
import { writeToolObject } from '#contract/index';
import type { AssistantTool } from '#domain/assistants';
import { AppError } from '#errors';
import type { FoundObject } from '#services/searching/discovery/results';
import type { McpReader, McpServerDeps } from '../deps.ts';

/** What a tool knows of a call. */
export interface ToolContext extends McpReader {
  readonly deps: McpServerDeps;
  readonly signal: AbortSignal;
}

export interface ToolAnswer<N extends AssistantTool> {
  readonly data: ToolOutput<N>;
  /** One sentence in our own words. */
  readonly summary: string;
  /** What clients that only read texts need of the data; a small part of it. */
  short?(data: ToolOutput<N>): readonly object[];
}

export type Tool<N extends AssistantTool> = (
  context: ToolContext,
  input: ToolInput<N>,
) => Promise<ToolAnswer<N>>;

/** Found objects that have an address, as an answer has them, with the ids of their searches where
 *  these differ from the one of the answer. */
export function writeFound(items: readonly FoundObject[], requestId?: string): ToolObject[] {
  const written = items.map(({ object, tier, requestId: own }) =>
    writeToolObject(object, { tier, requestId: own === requestId ? undefined : own }),
  );
  return written.filter(({ url }) => url !== '');
}

export const toShortObjects = ({ items = [] }: { readonly items?: readonly ToolObject[] }) =>
  items.map(({ title, url }) => ({ title, url }));

/** The person whose shelf it is. Errors: SIGN_IN_REQUIRED for an API key. */
export function requirePerson({ person }: Pick<ToolContext, 'person'>) {
  if (person !== null) return person;
  throw new AppError(
    'SIGN_IN_REQUIRED',
    'This belongs to a person, and an API key is nobody. Connect the assistant by signing in instead of a key.',
  );
}

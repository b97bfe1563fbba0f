import type { ToolInput, ToolObject, ToolOutput } from '#contract/index';
import { writeToolObject } from '#contract/index';
import type { AssistantTool } from '#domain/assistants';
import { AppError } from '#errors';
import type { LearningObjectHit } from '#services/searching/discovery/results';
import type { McpReader, McpServerDeps } from '../deps.ts';

export interface ToolContext extends McpReader {
  readonly deps: McpServerDeps;
  readonly signal: AbortSignal;
}

export interface ToolAnswer<N extends AssistantTool> {
  readonly data: ToolOutput<N>;
  /** One sentence, without texts of other people. */
  readonly summary: string;
  /** Selects the data for clients that read only texts. */
  short?(data: ToolOutput<N>): readonly object[];
}

export type Tool<N extends AssistantTool> = (context: ToolContext, input: ToolInput<N>) => Promise<ToolAnswer<N>>;

/** Writes the hits that have an address. @param answerRequestId is not repeated in them */
export function writeToolResults(items: readonly LearningObjectHit[], answerRequestId?: string): ToolObject[] {
  const written = items.map(({ object, tier, requestId }) =>
    writeToolObject(object, { tier, requestId: requestId === answerRequestId ? undefined : requestId }),
  );
  return written.filter(({ url }) => url !== '');
}

export const toShortToolObjects = ({ items = [] }: { readonly items?: readonly ToolObject[] }) =>
  items.map(({ title, url, license, has }) => ({ title, url, license, has }));

export function requirePersonForTool({ person }: Pick<ToolContext, 'person'>) {
  if (person !== null) return person;
  throw new AppError(
    'SIGN_IN_REQUIRED',
    'This belongs to a person, and an API key is nobody. Connect the assistant by signing in instead of a key.',
  );
}

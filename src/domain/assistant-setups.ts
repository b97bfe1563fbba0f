import { ASSISTANT_PATH } from './assistants.ts';

/** How a common assistant is connected with a host. */
export interface AssistantSetup {
  readonly id: 'claude' | 'chatgpt' | 'vscode' | 'cursor';
  readonly name: string;
  /** To be copied: an address, a command, or a file. */
  readonly text: string;
}

/** The four that people ask for most. Each asks for the sign-in by itself.
 *  @param publicUrl as `config.ts` allows it: without anything that a shell would interpret */
export function listAssistantSetups(publicUrl: string): readonly AssistantSetup[] {
  const url = publicUrl + ASSISTANT_PATH;
  return [
    { id: 'claude', name: 'Claude', text: url },
    { id: 'chatgpt', name: 'ChatGPT', text: url },
    {
      id: 'vscode',
      name: 'VS Code',
      text: `code --add-mcp '${JSON.stringify({ name: 'skilldock', type: 'http', url })}'`,
    },
    { id: 'cursor', name: 'Cursor', text: JSON.stringify({ mcpServers: { skilldock: { url } } }, null, 2) },
  ];
}

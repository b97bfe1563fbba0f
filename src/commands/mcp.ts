import type { Command } from 'commander';

interface McpOptions {
  readonly host?: string;
}

/** `skilldock mcp`: the same tools for an assistant on this machine, over standard input and output. */
export function addMcpCommand(program: Command, version: string): void {
  program
    .command('mcp')
    .description(
      'speak the Model Context Protocol over standard input and output, for an assistant on this machine',
    )
    .option(
      '--host <url>',
      'ask this host instead of the catalogue that comes with the program; the key is in SKILLDOCK_KEY (scope mcp)',
    )
    .action(async ({ host }: McpOptions) => {
      const { runMcp, relayMcp } = await import('./run-mcp.ts');
      await (host === undefined ? runMcp(version) : relayMcp(host));
    });
}

import type { Command } from 'commander';

/** `skilldock model …`: models that find things by meaning. */
export function addModelCommand(program: Command): void {
  const model = program
    .command('model')
    .description('models that find things by meaning; nothing is fetched without being asked for');
  model
    .command('install')
    .description('fetch a model into the data folder, and what runs it; goes on where it was broken off')
    .option('--multilingual', 'one for about a hundred languages (136 MB) instead of English (24 MB)')
    .action(async (options: { readonly multilingual?: true }) => (await load()).runModelInstall(options));
  model
    .command('add')
    .description('copy a model from a folder, for machines without a network')
    .argument('<folder>', 'DATA_DIR/models/NAME of another host, or the files as their page has them')
    .action(async (folder: string) => (await load()).runModelAdd(folder));
  model
    .command('list')
    .description('list the installed models, and which one a host uses')
    .option('--json', 'print [{ "name", "state", "bytes", "dimensions", "langs", "licence", "problem" }]')
    .action(async (options: { readonly json?: true }) => (await load()).runModelList(options));
  model
    .command('remove')
    .description('remove a model; a running host goes on by words alone, or with another one')
    .argument('<name>', 'as skilldock model list shows it')
    .action(async (name: string) => (await load()).runModelRemove(name));
  model
    .command('check')
    .description('verify the model that a host uses, and encode a sentence with it')
    .action(async () => (await load()).runModelCheck());
}

const load = () => import('./run-model.ts');

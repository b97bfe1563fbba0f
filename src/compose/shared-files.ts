import type { Config } from '#config';
import type { Clock } from '#ports/clock';
import type { SharedFiles } from '#ports/shared-files';
import type { Store } from '#ports/store/store';
import { createSharedFiles } from '#services/host/shared-files';

export interface SharedFilesOptions {
  readonly store: Store;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

/** What hosts give each other through their store; nothing where the store is of one host alone, which has it all on its disk. */
export function openSharedFiles(
  { mongodbUri }: Config,
  { store, clock, onProblem }: SharedFilesOptions,
): { readonly shared?: SharedFiles } {
  if (mongodbUri === undefined) return {};
  return { shared: createSharedFiles({ files: store.files, nonces: store.nonces, clock, onProblem }) };
}

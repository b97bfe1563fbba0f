import { createPictureEncoder } from '#adapters/pictures/picture-encoder';
import { createPictureFiles } from '#adapters/pictures/picture-files';
import { createOutbound } from '#adapters/remote/outbound';
import type { Config } from '#config';
import { noPrivateAccess } from '#domain/private-hosts';
import type { Clock } from '#ports/clock';
import {
  createNoPictures,
  createPictures,
  createPictureTokens,
  type Pictures,
} from '#services/catalogue/pictures/pictures';
import { readImportOutbound } from './imports.ts';

/** Pictures are read like import sources, but only from public addresses: anyone who may add an
 *  object may name an address. */
export function openPictures(deps: {
  readonly config: Config;
  /** Absolute. */
  readonly folder: string;
  /** The host's, the current one first. */
  readonly secrets: readonly Buffer[];
  readonly publicUrl: string;
  /** Of this program. */
  readonly version: string;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}): Pictures {
  const { config, folder, secrets, version, ...rest } = deps;
  if (!config.showsPictures) return createNoPictures(rest.publicUrl);
  const outbound = createOutbound({ ...readImportOutbound(config, version), privateAccess: noPrivateAccess });
  const encoder = createPictureEncoder();
  const pictures = createPictures({
    ...rest,
    tokens: createPictureTokens(secrets),
    outbound,
    files: createPictureFiles({ folder }),
    encoder,
  });
  return {
    ...pictures,
    async close() {
      await pictures.close();
      await Promise.all([outbound.close(), encoder.close()]);
    },
  };
}

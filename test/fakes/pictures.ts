import { AppError } from '../../src/errors.ts';
import { createPictures, createPictureTokens, type Pictures } from '../../src/services/catalogue/pictures/pictures.ts';
import { createStandingClock } from './clock.ts';

/** Links are as those of a host that has all pictures; nothing can be fetched. */
export function createFakePictures(publicUrl = 'https://skills.example.org'): Pictures {
  const pictures = createPictures({
    tokens: createPictureTokens([Buffer.from('a secret of the tests, long enough')]),
    outbound: {
      request: async () => {
        throw new AppError('OUTBOUND_FAILED', 'Nothing is fetched here.');
      },
    },
    files: { find: async () => null, keep: async () => undefined },
    encoder: { encode: async () => null },
    publicUrl,
    clock: createStandingClock(),
    onProblem: () => undefined,
  });
  return { ...pictures, linkToStored: pictures.linkTo };
}

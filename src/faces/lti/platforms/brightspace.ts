import { findProductOfIssuer } from '../../../domain/lti/registration.ts';
import { generic } from './generic.ts';
import { isOfFamily, type PlatformPlugin } from './platform.ts';

export const brightspace: PlatformPlugin = {
  ...generic,
  product: 'brightspace',
  name: 'Brightspace',
  recognises: ({ issuer, family }) =>
    findProductOfIssuer(issuer) === 'brightspace' || isOfFamily(family, 'desire2learn', 'brightspace', 'd2l'),
  tokenAudience: 'https://api.brightspace.com/auth/token',
};

import { findProductOfIssuer } from '../../../domain/lti/registration.ts';
import { generic } from './generic.ts';
import { isOfFamily, type PlatformPlugin } from './platform.ts';

/** All institutions have one issuer and one client id; which one it is says the deployment. */
export const blackboard: PlatformPlugin = {
  ...generic,
  product: 'blackboard',
  name: 'Blackboard',
  recognises: ({ issuer, family }) =>
    findProductOfIssuer(issuer) === 'blackboard' || isOfFamily(family, 'blackboard'),
  sharesIssuer: true,
  framedBy: ['https:'],
};

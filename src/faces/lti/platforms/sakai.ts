import { generic } from './generic.ts';
import { isOfFamily, type PlatformPlugin } from './platform.ts';

export const sakai: PlatformPlugin = {
  ...generic,
  product: 'sakai',
  name: 'Sakai',
  recognises: ({ family }) => isOfFamily(family, 'sakai'),
};

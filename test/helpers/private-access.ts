import type { PrivateAccess } from '../../src/domain/private-hosts.ts';

/** For services that tests run on this machine. */
export const loopbackAccess: PrivateAccess = {
  hosts: ['127.0.0.1', 'localhost', '::1'].map((host) => ({ host, port: null })),
  isOpenToOwners: false,
};

/** Find the secret of a login that came back without its cookie, and post the launch again. What is not found is posted
 *  empty: the host says then what to do. */
import { takeLocally } from './lti-local-bindings.ts';
import { openPlatformStorage } from './lti-platform-storage.ts';

const form = document.querySelector<HTMLFormElement>('#binding')!;
const { storageTarget = '', platformOrigin = '' } = form.dataset;
const fieldOf = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
const state = fieldOf('state').value;

const found =
  takeLocally(state) ?? (await openPlatformStorage(storageTarget, platformOrigin)?.get(`lti_state_${state}`));
fieldOf('binding').value = found ?? '';
form.submit();

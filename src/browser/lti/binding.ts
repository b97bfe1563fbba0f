/** Finds the secret of a login without its cookie, and posts the launch again. */
import { takeLocalBinding } from './local-bindings.ts';
import { openPlatformStorage } from './platform-storage.ts';

const form = document.querySelector<HTMLFormElement>('#binding');
if (form !== null) await postBindingAgain(form);

async function postBindingAgain(form: HTMLFormElement): Promise<void> {
  const { storageTarget = '', platformOrigin = '' } = form.dataset;
  const findField = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  const state = findField('state').value;
  const binding =
    takeLocalBinding(state) ?? (await openPlatformStorage(storageTarget, platformOrigin)?.get(`lti_state_${state}`));
  findField('binding').value = binding ?? '';
  form.submit();
}

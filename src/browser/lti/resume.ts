/** Loads a page of a launch again, with the token that `address` removed, and its state. */

import { carryEntryState, readEntryState } from './entry-state.ts';

const { launch, ...state } = readEntryState();
if (typeof launch === 'string') {
  const address = new URL(location.href);
  address.searchParams.set('launch', launch);
  carryEntryState(state, address);
  location.replace(address);
}

/** Load a page of a launch again, with the token that `address` took out of its address, and what
 *  else was kept with it. Where there is none, the page already says what to do. */

import { carryEntryState, readEntryState } from './entry-state.ts';

const { launch, ...kept } = readEntryState();
if (typeof launch === 'string') {
  const address = new URL(location.href);
  address.searchParams.set('launch', launch);
  carryEntryState(kept, address);
  location.replace(address);
}

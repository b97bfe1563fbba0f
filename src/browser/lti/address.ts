/** Removes the token of a launch from the address, as people who copy the address would give their
 *  rights away. It stays in the entry of the browser's history, where `resume` finds it after a
 *  reload; storage would be shared by the frames of a course. */

import { keepInEntryState, takeCarriedState } from './entry-state.ts';

const address = new URL(location.href);
const launch = address.searchParams.get('launch');
if (launch !== null) {
  address.searchParams.delete('launch');
  keepInEntryState({ ...takeCarriedState(address), launch }, address);
}

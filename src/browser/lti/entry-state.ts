/** State in the history entry: it survives a reload, also where storage is blocked. */

type EntryState = Readonly<Record<string, unknown>>;

/** Part of an address's fragment that carries a state; no host sees it. */
const CARRIED = 'kept';
/** Characters that browsers accept in an address. */
const MAX_CARRIED = 1_500_000;

let state: EntryState = history.state ?? {};

export const readEntryState = (): EntryState => state;

/** @param address of the entry; unchanged when absent */
export function keepInEntryState(values: EntryState, address?: URL): void {
  state = { ...state, ...values };
  history.replaceState(state, '', address);
}

// A link within the page adds an entry to the history.
addEventListener('hashchange', () => {
  if (history.state === null) history.replaceState(state, '');
});

/** A page that is loaded by its address has a new entry: the address carries the state to it. */
export function carryEntryState(values: EntryState, address: URL): void {
  const carried = new URLSearchParams({ [CARRIED]: JSON.stringify(values) }).toString();
  if (Object.keys(values).length > 0 && carried.length <= MAX_CARRIED) address.hash = carried;
}

export function takeCarriedState(address: URL): EntryState {
  const carried = new URLSearchParams(address.hash.slice(1)).get(CARRIED);
  if (carried === null) return {};
  address.hash = '';
  try {
    return { ...JSON.parse(carried) };
  } catch {
    return {};
  }
}

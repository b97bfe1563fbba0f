/** State in the history entry: it survives a reload, also where storage is blocked. */

type EntryState = Readonly<Record<string, unknown>>;

/** Name in an address's fragment that carries a state; no host sees it. */
const CARRIED = 'kept';
/** How many characters browsers accept in an address. */
const MAX_CARRIED = 1_500_000;

let state: EntryState = history.state ?? {};

export const readEntryState = (): EntryState => state;

/** Adds values to the state. @param address of the entry; unchanged when absent */
export function keepInEntryState(values: EntryState, address?: URL): void {
  state = { ...state, ...values };
  history.replaceState(state, '', address);
}

// A link within the page adds an entry to the history.
addEventListener('hashchange', () => {
  if (history.state === null) history.replaceState(state, '');
});

/** Puts a state into an address: the page that is loaded from it has a new entry. */
export function carryEntryState(values: EntryState, address: URL): void {
  const carried = new URLSearchParams({ [CARRIED]: JSON.stringify(values) }).toString();
  if (Object.keys(values).length > 0 && carried.length <= MAX_CARRIED) address.hash = carried;
}

/** Takes the state that an address carries out of it; empty without one. */
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

/** Load a page of a launch again, with the token that `address` took out of its address. Where there is none, the page already
 *  says what to do. */

const { launch } = (history.state ?? {}) as { readonly launch?: unknown };
if (typeof launch === 'string') {
  const address = new URL(location.href);
  address.searchParams.set('launch', launch);
  location.replace(address);
}

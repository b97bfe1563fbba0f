/** Load a page of a launch again, with the token that `address` has taken out of its address. Without one, the page says
 *  already what to do. */

const { launch } = (history.state ?? {}) as { readonly launch?: unknown };
if (typeof launch === 'string') {
  const address = new URL(location.href);
  address.searchParams.set('launch', launch);
  location.replace(address);
}

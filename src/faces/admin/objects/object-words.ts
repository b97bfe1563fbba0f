/** Path of the page of an object, below `/admin`. */
export function objectAddress(tenantId: string, url: string): string {
  return `/tenants/${tenantId}/objects?${new URLSearchParams({ url })}`;
}

/**
 * Returns the domain that the owner of a host registered, such as `example.com` for `media.example.com`; undefined for
 * addresses, single names and public suffixes. Domains whose subdomains belong to different customers, such as
 * `github.io`, are public suffixes. The library contains the list of public suffixes of its release.
 */
export async function registrableDomain(hostname: string): Promise<string | undefined> {
  const { getDomain } = await import('tldts');
  return getDomain(hostname, { allowPrivateDomains: true }) ?? undefined;
}

/** Whether the same owner registered the domains of two hosts. */
export async function haveSameOwner(one: string, other: string): Promise<boolean> {
  const domain = await registrableDomain(one);
  return domain !== undefined && domain === (await registrableDomain(other));
}

/** How connections to the service are opened, for a protocol that is not an HTTP request. */
export interface SocketRoute {
  /** Trusted certificate authorities in PEM format; undefined for those that Node trusts. */
  readonly ca: readonly string[] | undefined;
  /** The proxy for a URL, with its user name and password; undefined for a direct connection. */
  proxyFor(url: URL): URL | undefined;
}

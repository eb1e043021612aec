/** How connections to the service are opened, for protocols other than HTTP. */
export interface SocketRoute {
  /** Trusted certificate authorities in PEM format; undefined for the certificate authorities that Node trusts. */
  readonly ca: readonly string[] | undefined;
  /** Returns the proxy for a URL, with its user name and password; undefined for a direct connection. */
  proxyFor(url: URL): URL | undefined;
}

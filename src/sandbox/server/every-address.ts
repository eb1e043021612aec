/** Whether an address to listen on means all addresses of this machine, of IPv4 or of IPv6 and IPv4. */
export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

import { maskUserInfo } from './user-info.ts';

/** Checks host names with an optional port. The token is sent to these hosts, so patterns are not allowed. */
export function checkHosts(items: readonly string[]): readonly string[] {
  const hosts = items.map((item) => item.toLowerCase());
  for (const host of hosts) {
    if (!/^(\[[0-9a-f:]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/.test(host) || host.includes('..')) {
      throw new RangeError(`"${maskUserInfo(host)}" is not a valid host such as media.example.com`);
    }
  }
  return hosts;
}

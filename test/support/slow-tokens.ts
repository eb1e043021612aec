import type { AccessTokenSource } from '../../src/client/index.ts';
import { deferred } from './deferred.ts';

/** A token source whose tokens arrive when the test provides them. */
export function slowTokens() {
  const first = deferred<string>();
  const newer = deferred<string>();
  const asked = { current: deferred(), renew: deferred() };
  let renewals = 0;
  let newest = first.promise;
  void newer.promise.then(() => (newest = newer.promise));
  const tokens: AccessTokenSource = {
    current: () => {
      asked.current.resolve();
      return newest;
    },
    renew: () => {
      renewals += 1;
      asked.renew.resolve();
      return newer.promise;
    },
  };
  return { tokens, asked, first, newer, renewals: () => renewals };
}

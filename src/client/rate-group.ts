import type { RateGroup } from '../contract/enums.ts';

/** The service's usage group of a request (RATE-1 to RATE-4); the first row that matches counts. */
const rows: readonly (readonly [RateGroup, RegExp])[] = [
  ['Auth', /^\w+ .*\/oauth\//],
  ['Heavy', /\/bulk-assign$|\/fax$|\/call-log|\/active-calls$|\/recording\//],
  ['Heavy', /^(POST|DELETE) .*\/ring-?out/],
  ['Light', /^GET .*\/(ring-?out|members|presence|forwarding-number|phone-number|message-sync)/],
  ['Light', /^GET .*\/message-store(\/[^/]+)?$|^GET .*\/subscription|\/renew$|\/dictionary\//],
];

/** The usage group that a request most likely counts in. The service's own word, in its reply, goes before it. */
export function rateGroupOf(method: string, path: string): RateGroup {
  const line = `${method} ${path}`;
  return rows.find(([, pattern]) => pattern.test(line))?.[0] ?? 'Medium';
}

/** Requests of one kind, whatever their ids: they share a usage group. */
export function shapeOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(/\/(~|\d[\d,]*)(?=\/|$)/g, '/#')}`;
}

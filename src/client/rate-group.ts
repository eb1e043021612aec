import type { RateGroup } from '../contract/enums.ts';

/** Usage groups by request (RATE-1 to RATE-4); the first match applies. */
const rows: readonly (readonly [RateGroup, RegExp])[] = [
  ['Auth', /^\w+ .*\/oauth\//],
  [
    'Heavy',
    /\/bulk-assign$|\/fax$|\/call-log|\/active-calls$|\/recording\/|\/audit-trail\/search$|\/message-store-report|\/extension-bulk-update$/,
  ],
  ['Heavy', /^(POST|DELETE) .*\/ring-?out|^GET .*\/account\/[^/]+\/presence$/],
  ['Light', /\/a2p-sms\//],
  ['Light', /^(GET|PUT) .*\/call-queues\/[^/]+$|^GET .*\/(call-queue-presence|extension\/[^/]+)$/],
  [
    'Light',
    /^GET .*\/(ring-?out|members|presence|forwarding-number|phone-number|message-sync|business-hours|answering-rule\/)/,
  ],
  [
    'Light',
    /^GET .*\/message-store(\/[^/]+)?$|^GET .*\/subscription|\/extension-bulk-update\/tasks\/|\/renew$|\/dictionary\//,
  ],
];

/** Returns the expected usage group of a request. The group that a reply names takes precedence. */
export function rateGroupOf(method: string, path: string): RateGroup {
  const line = `${method} ${path}`;
  return rows.find(([, pattern]) => pattern.test(line))?.[0] ?? 'Medium';
}

/** Method and path with IDs replaced: requests with the same shape share a usage group. */
export function shapeOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(/\/(~|\d[\d,]*)(?=\/|$)/g, '/#')}`;
}

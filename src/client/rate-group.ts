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

/** A segment that is an ID, such as a number, a UUID or an opaque text with digits, but not a version or a name with digits. */
const idSegment = /\/(~|(?!v\d+(?:\.\d+)?(?:\/|$)|a2p-sms)[^/]*\d[^/]*)(?=\/|$)/g;

/** Usage groups that the service named in replies. Requests that differ only in IDs share a usage group. */
export class NamedGroups {
  readonly #groups = new Map<string, string>();

  /** Returns the usage group of a request in lower case: the group that a reply named, or else the expected group. */
  of(method: string, path: string): string {
    return this.#groups.get(shapeOf(method, path)) ?? rateGroupOf(method, path).toLowerCase();
  }

  /** Stores the group that a reply named, unless it is the known one, so that the memory stays bounded. */
  learn(method: string, path: string, named: string): void {
    if (this.of(method, path) !== named) this.#groups.set(shapeOf(method, path), named);
  }
}

function shapeOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(idSegment, '/#')}`;
}

import type { StyleKind } from './paint.ts';

const meanings: readonly (readonly [StyleKind, RegExp])[] = [
  ['bad', /fail|error|refused|blacklisted|donotacceptany|rejected|unreachable|expired|missing|unknown/i],
  ['dim', /^(disabled|offline|unassigned|notactivated|none|no|unchanged|skipped|nocall|deleted|purged)$/i],
  [
    'warning',
    /busy|pending|queued|frozen|suspend|donotaccept|ringing|departmentcallsonly|removed?$|partial/i,
  ],
  [
    'good',
    /^(enabled|available|active|online|sent|delivered|received|connected|callconnected|takeallcalls|ok|yes|add|added|done|valid|ready)$/i,
  ],
];

/** The colour of a status by its meaning; one that is not known stays plain. */
export function statusStyle(status: string): StyleKind | undefined {
  return meanings.find(([, pattern]) => pattern.test(status))?.[0];
}

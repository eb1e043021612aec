import type { StyleKind } from './paint.ts';

const meanings: readonly (readonly [StyleKind, RegExp])[] = [
  ['bad', /fail|error|refused|blacklisted|donotacceptany|rejected|unreachable|expired|missing|unknown/i],
  ['dim', /^(disabled|offline|unassigned|notactivated|none|no|unchanged|skipped|nocall|deleted|purged)$/i],
  [
    'warning',
    /busy|pending|queued|frozen|suspend|donotaccept|queue calls off|signed out of|ringing|departmentcallsonly|removed?$|partial/i,
  ],
  [
    'good',
    /^(enabled|available|active|online|sent|delivered|received|connected|callconnected|on a call|takeallcalls|ok|yes|add|added|done|valid|ready)$/i,
  ],
];

/** A symbol before the word, so that a status can be recognized without colors. */
const sign = /^[*#+\-x.?] /;

/** Returns the color of a status by its meaning; undefined for an unknown status. */
export function statusStyle(status: string): StyleKind | undefined {
  const word = status.replace(sign, '');
  return meanings.find(([, pattern]) => pattern.test(word))?.[0];
}

import type { StyleKind } from './paint.ts';

const meanings: readonly (readonly [StyleKind, RegExp])[] = [
  ['bad', /fail|error|refused|blacklisted|donotacceptany|rejected|unreachable|expired|missing|unknown/i],
  ['dim', /^(disabled|offline|unassigned|notactivated|none|no|unchanged|skipped|nocall|deleted|purged)$/i],
  [
    'warning',
    /busy|pending|queued|frozen|suspend|donotaccept|not taking|ringing|departmentcallsonly|removed?$|partial/i,
  ],
  [
    'good',
    /^(enabled|available|active|online|sent|delivered|received|connected|callconnected|on a call|takeallcalls|ok|yes|add|added|done|valid|ready)$/i,
  ],
];

/** A sign before the word, so that colour is not all that tells it. */
const sign = /^[*#+\-x.?] /;

/** The colour of a status by its meaning; one that is not known stays plain. */
export function statusStyle(status: string): StyleKind | undefined {
  const word = status.replace(sign, '');
  return meanings.find(([, pattern]) => pattern.test(word))?.[0];
}

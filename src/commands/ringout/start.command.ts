import { ringOutRows } from '../../features/ringout/state.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import { forceNumberOption, sendConflict } from '../../runtime/outgoing-options.ts';
import { record } from '../../runtime/output-schema.ts';
import type { RingOutStartOptions } from './start.ts';

export const ringoutStart = defineCommand<RingOutStartOptions>({
  path: ['ringout', 'start'],
  summary: 'Call a number: your phone rings first, then the other phone',
  description:
    'Asks for confirmation before calling. With --wait, the command waits until the call is connected or has failed; with --wait=finished, until both parties have hung up.',
  details:
    'With --wait, Ctrl-C (or q in the live view) cancels the call if the other party has not answered, and ucctl reports the result. The setting ' +
    '"RingOut from Web" in the account portal determines the caller ID that the other party sees. In dialect current, --caller-id selects another of your numbers for one call. ' +
    'Without -o, a pipe gets tab-separated lines; with --wait, it gets NDJSON. With --wait, -o ndjson writes one line for each change of the status, and -o json only the final status.',
  options: {
    to: {
      type: 'string',
      required: true,
      value: 'NUMBER',
      summary: 'Number to call, in any common notation',
    },
    from: {
      type: 'string',
      value: 'NUMBER',
      summary: 'Phone that rings first (default: your first forwarding number, otherwise your direct number)',
      conflicts: ['fromLabel'],
    },
    fromLabel: {
      type: 'string',
      value: 'LABEL',
      summary: 'Phone that rings first, by the label of a forwarding number (ucctl ringout numbers)',
    },
    callerId: {
      type: 'string',
      value: 'NUMBER',
      summary: 'Number that the other party sees (ucctl ringout caller-ids), only in dialect current',
    },
    prompt: {
      type: 'boolean',
      negatable: true,
      summary:
        'Ask the first party to press 1 before the call is connected (default: the setting of the service)',
    },
    wait: {
      type: 'string',
      choices: ['connected', 'finished'],
      alone: 'connected',
      value: 'STATE',
      summary: 'Block until the call is connected (default) or finished',
    },
    waitTimeout: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 86_400,
      requires: 'wait',
      summary:
        'Maximum duration of --wait (default: --timeout if given, otherwise 2m for connected, 4h for finished)',
    },
    interval: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 60,
      default: 2,
      requires: 'wait',
      summary: 'Polling interval of --wait',
    },
    forceNumber: forceNumberOption,
    dedupeKey: {
      type: 'string',
      value: 'KEY',
      summary: 'Reject a second call with the same key within 24 hours',
    },
  },
  examples: [
    { comment: 'Ask for confirmation, then call', command: 'ucctl ringout start --to +15551234567' },
    {
      comment: 'In a script, wait until the call is connected',
      command: 'ucctl ringout start --to +15551234567 --from-label "My mobile" --yes --wait -o ndjson',
    },
  ],
  permissions: ['RingOut', 'ReadAccounts'],
  rateGroup: 'Heavy',
  mutates: true,
  effect: 'rings',
  output: record(ringOutRows),
  exitCodes: {
    11: sendConflict,
    13: 'the call failed, or was not connected in time (--wait)',
    14: 'no reply: the phones may be ringing',
    130: 'interrupted by Ctrl-C; ucctl canceled the call if possible (--wait)',
  },
  load: () => import('./start.ts').then((m) => m.startRingOut),
});

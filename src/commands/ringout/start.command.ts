import { defineCommand } from '../../runtime/define.ts';
import type { RingOutStartOptions } from './start.ts';

export const ringoutStart = defineCommand<RingOutStartOptions>({
  path: ['ringout', 'start'],
  summary: 'Place a call: first your telephone rings, then the other one',
  description:
    'Asks before it rings anybody. --wait follows the call: until it is connected or has failed, with --wait=finished until both sides have ' +
    'hung up. Ctrl-C then cancels the call while the called side has not answered, and says whether it was. The name that the called side ' +
    'sees is the setting "RingOut from Web" of the account portal; no request can choose it.',
  options: {
    to: { type: 'string', required: true, value: 'NUMBER', summary: 'Number to call, as people write it' },
    from: {
      type: 'string',
      value: 'NUMBER',
      summary: 'Telephone that rings first; your default forwarding number unless given',
      conflicts: ['fromLabel'],
    },
    fromLabel: {
      type: 'string',
      value: 'LABEL',
      summary: 'The same by the label of the forwarding number (ucctl ringout numbers)',
    },
    prompt: {
      type: 'boolean',
      negatable: true,
      summary: 'Ask the first side to press 1 before it is connected; neither leaves it to the service',
    },
    wait: {
      type: 'string',
      choices: ['connected', 'finished'],
      alone: 'connected',
      value: 'STATE',
      summary: 'Follow the call until it is connected (alone) or finished',
    },
    waitTimeout: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 86_400,
      summary: 'Longest wait with --wait; unless given --timeout, else 2m for connected, 4h for finished',
    },
    interval: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 60,
      default: 2,
      summary: 'Time between two looks with --wait; 2s',
    },
    dedupeKey: {
      type: 'string',
      value: 'KEY',
      summary: 'Refuse to call again under the same key within 24 hours',
    },
  },
  examples: [
    { comment: 'Asks, then rings', command: 'ucctl ringout start --to +15551234567' },
    {
      comment: 'From a script, until the call is connected',
      command: 'ucctl ringout start --to +15551234567 --from-label "My mobile" --yes --wait -o ndjson',
    },
  ],
  permissions: ['the service'],
  rateGroup: 'Heavy',
  mutates: true,
  jsonFields: ['id', 'callStatus', 'callerStatus', 'calleeStatus', 'explanation', 'time', 'uri'],
  exitCodes: {
    11: 'the dedupe key was used already',
    13: 'with --wait: the call was not connected',
    14: 'no answer came: telephones may be ringing',
    130: 'Ctrl-C; with --wait the call was cancelled if it still could be',
  },
  load: () => import('./start.ts').then((m) => m.startRingOut),
});

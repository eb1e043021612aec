import type { BooleanOption, IntegerOption, ListOption, StringOption } from './command-description.ts';

/** What the commands that receive events live have in common. */
export interface LiveOptions {
  readonly extension: readonly string[];
  readonly port: number;
  readonly where?: string;
  readonly forwardTo: readonly string[];
  readonly exec?: string;
  readonly encrypt?: boolean;
  readonly count?: number;
  readonly inspect?: boolean;
  readonly readyFile?: string;
}

export const liveOptions = {
  extension: {
    type: 'list',
    value: 'EXT,...',
    summary: 'Whose messages, presence and lines; your own by default',
  },
  port: {
    type: 'integer',
    min: 0,
    max: 65_535,
    default: 0,
    summary: 'Port to receive on; 0 for any free one',
  },
  where: {
    type: 'string',
    value: 'EXPR',
    summary: 'Only events for whose body this jq expression is true, e.g. .telephonyStatus=="Ringing"',
  },
  forwardTo: {
    type: 'list',
    commas: false,
    value: '[EVENT=]URL',
    summary: 'POST each event there, in order for each extension; six tries, then ucctl events dlq',
  },
  exec: {
    type: 'string',
    value: 'COMMAND',
    summary: 'Run it in the shell for each event, with the event on standard input',
  },
  encrypt: { type: 'boolean', summary: 'Have the service encrypt events; they are decoded here' },
  count: { type: 'integer', min: 1, value: 'N', summary: 'End after N events' },
  inspect: {
    type: 'boolean',
    summary:
      'Serve a page on this machine that shows what arrives, its bodies and deliveries, and sends it again',
  },
  readyFile: {
    type: 'string',
    value: 'FILE',
    summary: 'JSON with url, inspectUrl, subscriptionId, eventFilters and pid, there while events arrive',
  },
} as const satisfies {
  readonly [K in keyof LiveOptions]-?: BooleanOption | IntegerOption | ListOption | StringOption;
};

/** The fields of an event, for `--json`. */
export const liveFields = [
  'uuid',
  'event',
  'timestamp',
  'subscriptionId',
  'ownerId',
  'body',
  'recovered',
] as const;

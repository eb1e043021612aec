import type { BooleanOption, IntegerOption, ListOption, StringOption } from './command-description.ts';

/** The options of every command that receives live events. */
export interface LiveOptions {
  readonly extension: readonly string[];
  readonly allExtensions?: boolean;
  readonly port: number;
  readonly where?: string;
  readonly forwardTo: readonly string[];
  readonly exec?: string;
  readonly encrypt?: boolean;
  readonly count?: number;
  readonly inspect?: boolean;
  readonly lookup?: boolean;
  readonly readyFile?: string;
}

export const liveOptions = {
  extension: {
    type: 'list',
    value: 'EXT,...',
    summary: 'Extensions to watch for messages, presence and lines; default: your own',
  },
  allExtensions: {
    type: 'boolean',
    summary: 'Watch the extensions of all users; requires an administrator',
    conflicts: ['extension'],
  },
  port: {
    type: 'integer',
    min: 0,
    max: 65_535,
    default: 0,
    advanced: true,
    summary: 'Local port to receive on; 0 for any free port',
  },
  where: {
    type: 'string',
    value: 'EXPR',
    summary:
      'Show and deliver only events whose body matches a jq expression, e.g. .telephonyStatus=="Ringing"',
  },
  forwardTo: {
    type: 'list',
    commas: false,
    value: '[EVENT=]URL',
    summary: 'POST each event to a URL, in order per extension; ucctl events dlq lists undelivered events',
  },
  exec: {
    type: 'string',
    value: 'COMMAND',
    summary:
      'Shell command to run for each event, with the event on standard input and its text in UCCTL_DETAILS',
  },
  encrypt: {
    type: 'boolean',
    advanced: true,
    summary: 'Ask the service to encrypt events; ucctl decrypts the events',
  },
  count: { type: 'integer', min: 1, value: 'N', summary: 'Exit after N events' },
  inspect: {
    type: 'boolean',
    summary: 'Serve a local web page that shows events and deliveries and can resend events',
  },
  lookup: {
    type: 'boolean',
    negatable: true,
    summary: 'Fetch the text of new messages, which events do not contain (default on a terminal)',
  },
  readyFile: {
    type: 'string',
    value: 'FILE',
    advanced: true,
    summary:
      'JSON file that ucctl deletes first, writes when it is ready and deletes on exit, with url, inspectUrl, subscriptionId, eventFilters and pid',
    writes: 'ready.json',
  },
} as const satisfies {
  readonly [K in keyof LiveOptions]-?: BooleanOption | IntegerOption | ListOption | StringOption;
};

import type { BooleanOption, DurationOption, IntegerOption, StringOption } from './command-description.ts';

/** The options of every board. */
export interface WatchOptions {
  /** Without effect: the command always watches. */
  readonly watch?: boolean;
  readonly poll?: boolean;
  readonly interval: number;
  readonly publicUrl?: string;
  readonly port: number;
}

export const watchOptions = {
  watch: {
    type: 'boolean',
    short: 'w',
    advanced: true,
    summary: 'No effect: this command always watches',
  },
  poll: {
    type: 'boolean',
    summary: 'Read the presence at intervals instead of subscribing to events',
    conflicts: ['publicUrl'],
  },
  interval: {
    type: 'duration',
    value: 'TIME',
    minSeconds: 1,
    maxSeconds: 3600,
    default: 5,
    summary: 'With --poll: minimum time between two reads of the same person',
  },
  publicUrl: {
    type: 'string',
    value: 'URL',
    summary: 'Address at which the service can reach this machine, such as a tunnel, for live events',
  },
  port: {
    type: 'integer',
    value: 'N',
    min: 0,
    max: 65_535,
    default: 0,
    advanced: true,
    summary: 'Local port for live events; 0 for any free port',
  },
} as const satisfies {
  readonly [K in keyof WatchOptions]-?: BooleanOption | DurationOption | IntegerOption | StringOption;
};

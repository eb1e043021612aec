import type { BooleanOption, DurationOption, IntegerOption, StringOption } from './command-description.ts';

/** What every live view takes. */
export interface WatchOptions {
  readonly poll?: boolean;
  readonly interval: number;
  readonly publicUrl?: string;
  readonly port: number;
}

export const watchOptions = {
  poll: { type: 'boolean', summary: 'Read in turn, without a subscription', conflicts: ['publicUrl'] },
  interval: {
    type: 'duration',
    value: 'TIME',
    minSeconds: 1,
    maxSeconds: 3600,
    default: 5,
    summary: 'When reading in turn: shortest time between two readings of one person; 5s',
  },
  publicUrl: {
    type: 'string',
    value: 'URL',
    summary: 'Where the service reaches this machine (a tunnel), for live events',
  },
  port: {
    type: 'integer',
    value: 'N',
    min: 0,
    max: 65_535,
    default: 0,
    summary: 'Local port for live events; any free one',
  },
} as const satisfies {
  readonly [K in keyof WatchOptions]-?: BooleanOption | DurationOption | IntegerOption | StringOption;
};

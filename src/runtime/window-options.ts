import type { StringOption } from './command-description.ts';

/** The options of every command about a period of time. */
export interface WindowOptions {
  readonly since?: string;
  readonly until?: string;
  readonly tz?: string;
}

export const windowOptions = {
  since: {
    type: 'string',
    value: 'TIME',
    summary: 'Start: a date, an ISO 8601 time, an age such as 2h or 7d, today or yesterday',
  },
  until: {
    type: 'string',
    value: 'TIME',
    summary: 'End (excluded), in the format of --since; a date means the start of that day; default: now',
  },
  tz: {
    type: 'string',
    value: 'ZONE',
    advanced: true,
    summary: 'Time zone for dates and displayed times, e.g. Europe/Paris; default: the setting tz, else UTC',
  },
} as const satisfies { readonly [K in keyof WindowOptions]-?: StringOption };

import type { StringOption } from './command-description.ts';

/** What every command about a stretch of time takes. */
export interface WindowOptions {
  readonly since?: string;
  readonly until?: string;
  readonly tz?: string;
}

export const windowOptions = {
  since: { type: 'string', value: 'TIME', summary: 'From: a date, ISO 8601, 2h, 7d, today, yesterday' },
  until: { type: 'string', value: 'TIME', summary: 'To, written as --since; now' },
  tz: { type: 'string', value: 'ZONE', summary: 'Time zone of dates without one, e.g. Europe/Paris; UTC' },
} as const satisfies { readonly [K in keyof WindowOptions]-?: StringOption };

import type { IntegerOption, StringOption } from './command-description.ts';

/** The options of every command that runs as a service of a machine. */
export interface ServiceOptions {
  readonly metricsPort?: number;
  readonly metricsHost: string;
  readonly logFormat?: 'text' | 'json';
}

export const serviceOptions = {
  metricsPort: {
    type: 'integer',
    min: 0,
    max: 65_535,
    value: 'PORT',
    summary: 'Local port for /metrics (Prometheus), /livez and /readyz; 0 for any free port',
  },
  metricsHost: {
    type: 'string',
    advanced: true,
    default: '127.0.0.1',
    value: 'ADDRESS',
    summary: 'Local address to listen on for --metrics-port',
  },
  logFormat: {
    type: 'string',
    choices: ['text', 'json'],
    value: 'FORMAT',
    summary: 'Format of messages on stderr: text (default), or json with one object per line',
  },
} as const satisfies { readonly [K in keyof ServiceOptions]-?: IntegerOption | StringOption };

/** Options of every command that can wait until a fax is sent. */
export const waitOptions = {
  wait: { type: 'boolean', summary: 'Block until the fax is sent or has failed' },
  waitTimeout: {
    type: 'duration',
    value: 'TIME',
    minSeconds: 1,
    maxSeconds: 86_400,
    requires: 'wait',
    summary: 'Maximum duration of --wait (default: --timeout if given, otherwise 15m)',
  },
} as const;

/** For every command that can wait for the end of a fax. */
export const waitOptions = {
  wait: { type: 'boolean', summary: 'Wait until the fax is sent or has failed' },
  waitTimeout: {
    type: 'duration',
    value: 'TIME',
    minSeconds: 1,
    maxSeconds: 86_400,
    summary: 'Longest wait with --wait; unless given --timeout, else 15m',
  },
} as const;

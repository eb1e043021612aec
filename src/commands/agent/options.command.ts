/** The agent of a command about one agent. */
export const agentOption = {
  type: 'string',
  positional: true,
  required: true,
  value: 'AGENT',
  summary: 'ID, extension number, e-mail or name of the agent; ~ is your own extension',
} as const;

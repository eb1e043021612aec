import type { AnyCommandSpec, NounSpec, RegisteredNoun } from '../runtime/define.ts';

/** Every noun of the tool, in the order of the root help. Only the one on the command line is loaded. */
export const registry: readonly RegisteredNoun[] = [
  { name: 'queue', load: async () => (await import('../commands/queue/noun.command.ts')).queueNoun },
  { name: 'agent', load: async () => (await import('../commands/agent/noun.command.ts')).agentNoun },
  { name: 'presence', load: async () => (await import('../commands/presence/noun.command.ts')).presenceNoun },
  {
    name: 'sms',
    load: async () => {
      const { smsNoun } = await import('../commands/sms/noun.command.ts');
      const { outcomeResolve } = await import('../commands/outcome/resolve.command.ts');
      // Who sends texts looks for it here; it is the same command.
      return { ...smsNoun, commands: [...smsNoun.commands, { ...outcomeResolve, path: ['sms', 'resolve'] }] };
    },
  },
  {
    name: 'subscribe',
    load: async () => (await import('../commands/subscribe/noun.command.ts')).subscribeNoun,
  },
  { name: 'webhook', load: async () => (await import('../commands/webhook/noun.command.ts')).webhookNoun },
  {
    name: 'login',
    load: async () => word((await import('../commands/login/login.command.ts')).loginCommand),
  },
  {
    name: 'logout',
    load: async () => word((await import('../commands/logout/logout.command.ts')).logoutCommand),
  },
  {
    name: 'status',
    load: async () => word((await import('../commands/status/status.command.ts')).statusCommand),
  },
  { name: 'api', load: async () => word((await import('../commands/api/api.command.ts')).apiCommand) },
  { name: 'outcome', load: async () => (await import('../commands/outcome/noun.command.ts')).outcomeNoun },
  {
    name: 'doctor',
    load: async () => word((await import('../commands/doctor/doctor.command.ts')).doctorCommand),
  },
  { name: 'profile', load: async () => (await import('../commands/profile/noun.command.ts')).profileNoun },
  { name: 'config', load: async () => (await import('../commands/config/noun.command.ts')).configNoun },
  { name: 'history', load: async () => (await import('../commands/history/noun.command.ts')).historyNoun },
  { name: 'sandbox', load: async () => (await import('../commands/sandbox/noun.command.ts')).sandboxNoun },
];

/** A command of one word. */
function word(spec: AnyCommandSpec): NounSpec {
  return { name: spec.path[0], summary: spec.summary, section: 'Account and setup', commands: [spec] };
}

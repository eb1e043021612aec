import type { AnyCommandSpec, NounSpec, RegisteredNoun } from '../runtime/define.ts';

/** All nouns, in the order of the root help. Only the noun on the command line is loaded. */
export const registry: readonly RegisteredNoun[] = [
  { name: 'queue', load: async () => (await import('../commands/queue/noun.command.ts')).queueNoun },
  { name: 'agent', load: async () => (await import('../commands/agent/noun.command.ts')).agentNoun },
  { name: 'presence', load: async () => (await import('../commands/presence/noun.command.ts')).presenceNoun },
  { name: 'hours', load: async () => (await import('../commands/hours/noun.command.ts')).hoursNoun },
  { name: 'rule', load: async () => (await import('../commands/rule/noun.command.ts')).ruleNoun },
  { name: 'account', load: async () => (await import('../commands/account/noun.command.ts')).accountNoun },
  { name: 'sms', load: loadSms },
  { name: 'ringout', load: async () => (await import('../commands/ringout/noun.command.ts')).ringoutNoun },
  { name: 'pager', load: async () => (await import('../commands/pager/noun.command.ts')).pagerNoun },
  { name: 'fax', load: async () => (await import('../commands/fax/noun.command.ts')).faxNoun },
  { name: 'message', load: async () => (await import('../commands/message/noun.command.ts')).messageNoun },
  {
    name: 'voicemail',
    load: async () => (await import('../commands/voicemail/noun.command.ts')).voicemailNoun,
  },
  { name: 'policy', load: async () => (await import('../commands/policy/noun.command.ts')).policyNoun },
  { name: 'sync', load: async () => (await import('../commands/sync/noun.command.ts')).syncNoun },
  { name: 'calllog', load: async () => (await import('../commands/calllog/noun.command.ts')).callLogNoun },
  {
    name: 'download',
    load: async () => (await import('../commands/download/download.command.ts')).downloadNoun,
  },
  {
    name: 'subscribe',
    load: async () => (await import('../commands/subscribe/noun.command.ts')).subscribeNoun,
  },
  { name: 'webhook', load: async () => (await import('../commands/webhook/noun.command.ts')).webhookNoun },
  { name: 'events', load: async () => (await import('../commands/events/noun.command.ts')).eventsNoun },
  { name: 'init', load: async () => word((await import('../commands/init/init.command.ts')).initCommand) },
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
  {
    name: 'schema',
    load: async () => word((await import('../commands/schema/schema.command.ts')).schemaCommand),
  },
  { name: 'profile', load: async () => (await import('../commands/profile/noun.command.ts')).profileNoun },
  { name: 'config', load: async () => (await import('../commands/config/noun.command.ts')).configNoun },
  {
    name: 'completion',
    load: async () => (await import('../commands/completion/noun.command.ts')).completionNoun,
  },
  { name: 'man', load: async () => (await import('../commands/man/noun.command.ts')).manNoun },
  {
    name: 'version',
    load: async () => word((await import('../commands/version/version.command.ts')).versionCommand),
  },
  { name: 'skill', load: async () => (await import('../commands/skill/noun.command.ts')).skillNoun },
  { name: 'mcp', load: async () => (await import('../commands/mcp/noun.command.ts')).mcpNoun },
  {
    name: 'console',
    load: async () => word((await import('../commands/console/console.command.ts')).consoleCommand),
  },
  { name: 'store', load: async () => (await import('../commands/store/noun.command.ts')).storeNoun },
  { name: 'fleet', load: async () => (await import('../commands/fleet/noun.command.ts')).fleetNoun },
  { name: 'audit', load: async () => (await import('../commands/audit/noun.command.ts')).auditNoun },
  { name: 'history', load: async () => (await import('../commands/history/noun.command.ts')).historyNoun },
  { name: 'sandbox', load: async () => (await import('../commands/sandbox/noun.command.ts')).sandboxNoun },
];

/** Creates a noun that consists of one command without a verb. */
function word(spec: AnyCommandSpec): NounSpec {
  return { name: spec.path[0], summary: spec.summary, section: 'Account and setup', commands: [spec] };
}

/** Adds `sms resolve`, which is `outcome resolve` under the noun where users look for it. */
async function loadSms(): Promise<NounSpec> {
  const [{ smsNoun }, { outcomeResolve }] = await Promise.all([
    import('../commands/sms/noun.command.ts'),
    import('../commands/outcome/resolve.command.ts'),
  ]);
  return { ...smsNoun, commands: [...smsNoun.commands, { ...outcomeResolve, path: ['sms', 'resolve'] }] };
}

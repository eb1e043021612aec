import { agentNoun } from '../commands/agent/noun.command.ts';
import { historyNoun } from '../commands/history/noun.command.ts';
import { apiCommand } from '../commands/api/api.command.ts';
import { configNoun } from '../commands/config/noun.command.ts';
import { doctorCommand } from '../commands/doctor/doctor.command.ts';
import { loginCommand } from '../commands/login/login.command.ts';
import { logoutCommand } from '../commands/logout/logout.command.ts';
import { outcomeNoun } from '../commands/outcome/noun.command.ts';
import { presenceNoun } from '../commands/presence/noun.command.ts';
import { profileNoun } from '../commands/profile/noun.command.ts';
import { queueNoun } from '../commands/queue/noun.command.ts';
import { sandboxNoun } from '../commands/sandbox/noun.command.ts';
import { smsNoun } from '../commands/sms/noun.command.ts';
import { statusCommand } from '../commands/status/status.command.ts';
import { subscribeNoun } from '../commands/subscribe/noun.command.ts';
import { webhookNoun } from '../commands/webhook/noun.command.ts';
import type { AnyCommandSpec, NounSpec } from '../runtime/define.ts';

/** Every noun of the tool, in the order of the root help. Specs are plain data: handlers load when they run. */
export const registry: readonly NounSpec[] = [
  queueNoun,
  agentNoun,
  presenceNoun,
  smsNoun,
  subscribeNoun,
  webhookNoun,
  word(loginCommand),
  word(logoutCommand),
  word(statusCommand),
  word(apiCommand),
  outcomeNoun,
  word(doctorCommand),
  profileNoun,
  configNoun,
  historyNoun,
  sandboxNoun,
];

/** A command of one word. */
function word(spec: AnyCommandSpec): NounSpec {
  return { name: spec.path[0], summary: spec.summary, section: 'Account and setup', commands: [spec] };
}

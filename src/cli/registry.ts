import { presenceNoun } from '../commands/presence/noun.command.ts';
import { queueNoun } from '../commands/queue/noun.command.ts';
import { smsNoun } from '../commands/sms/noun.command.ts';
import { subscribeNoun } from '../commands/subscribe/noun.command.ts';
import { webhookNoun } from '../commands/webhook/noun.command.ts';
import type { NounSpec } from '../runtime/define.ts';

/** Every noun of the tool, in the order of the root help. Specs are plain data: handlers load when they run. */
export const registry: readonly NounSpec[] = [queueNoun, presenceNoun, smsNoun, subscribeNoun, webhookNoun];

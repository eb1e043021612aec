import type { NounSpec } from '../../runtime/define.ts';
import { smsBatch } from './batch.command.ts';
import { smsBatches } from './batches.command.ts';
import { smsList } from './list.command.ts';
import { smsNumbers } from './numbers.command.ts';
import { smsSend } from './send.command.ts';
import { smsThread } from './thread.command.ts';

export const smsNoun: NounSpec = {
  name: 'sms',
  summary: 'Send and read text messages',
  section: 'Messages',
  commands: [smsSend, smsList, smsThread, smsNumbers, smsBatches, smsBatch],
};

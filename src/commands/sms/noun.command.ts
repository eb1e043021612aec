import type { NounSpec } from '../../runtime/define.ts';
import { smsNumbers } from './numbers.command.ts';
import { smsSend } from './send.command.ts';

export const smsNoun: NounSpec = {
  name: 'sms',
  summary: 'Text messages',
  section: 'Messages',
  commands: [smsSend, smsNumbers],
};

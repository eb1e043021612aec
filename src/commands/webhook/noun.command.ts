import type { NounSpec } from '../../runtime/define.ts';
import { webhookListen } from './listen.command.ts';

export const webhookNoun: NounSpec = {
  name: 'webhook',
  summary: 'Receive events on this machine',
  section: 'Live events',
  commands: [webhookListen],
};

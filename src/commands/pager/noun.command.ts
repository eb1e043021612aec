import type { NounSpec } from '../../runtime/define.ts';
import { pagerReply } from './reply.command.ts';
import { pagerSend } from './send.command.ts';

export const pagerNoun: NounSpec = {
  name: 'pager',
  summary: 'Pager messages between extensions of the account',
  section: 'Messages',
  commands: [pagerSend, pagerReply],
};

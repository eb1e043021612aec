import type { NounSpec } from '../../runtime/define.ts';
import { voicemailList } from './list.command.ts';

export const voicemailNoun: NounSpec = {
  name: 'voicemail',
  summary: 'List voicemails',
  section: 'Messages',
  commands: [voicemailList],
};

import type { NounSpec } from '../../runtime/define.ts';
import { presenceShow } from './show.command.ts';
import { presenceSet } from './set.command.ts';
import { presenceWatch } from './watch.command.ts';

export const presenceNoun: NounSpec = {
  name: 'presence',
  summary: 'Presence and call status of people',
  section: 'Phones and people',
  commands: [presenceShow, presenceSet, presenceWatch],
};

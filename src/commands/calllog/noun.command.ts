import type { NounSpec } from '../../runtime/define.ts';
import { callLogActive } from './active.command.ts';
import { callLogList } from './list.command.ts';
import { callLogShow } from './show.command.ts';
import { callLogStats } from './stats.command.ts';
import { callLogSync } from './sync.command.ts';

export const callLogNoun: NounSpec = {
  name: 'calllog',
  summary: 'List, analyze and copy the call log',
  section: 'Calls',
  commands: [callLogList, callLogShow, callLogActive, callLogStats, callLogSync],
};

import type { NounSpec } from '../../runtime/define.ts';
import { historyList, historyShow, historyUndo } from './history.command.ts';

export const historyNoun: NounSpec = {
  name: 'history',
  summary: 'List, show and undo runs',
  section: 'Account and setup',
  commands: [historyList, historyShow, historyUndo],
};

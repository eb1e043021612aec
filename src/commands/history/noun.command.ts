import type { NounSpec } from '../../runtime/define.ts';
import { historyList, historyShow, historyUndo } from './history.command.ts';

export const historyNoun: NounSpec = {
  name: 'history',
  summary: 'Bulk runs of this machine: what they did, and taking them back',
  section: 'Account and setup',
  commands: [historyList, historyShow, historyUndo],
  outputs: async () => (await import('./outputs.command.ts')).historyOutputs,
};

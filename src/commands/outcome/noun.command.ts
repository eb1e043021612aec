import type { NounSpec } from '../../runtime/define.ts';
import { outcomeList } from './list.command.ts';
import { outcomeResolve } from './resolve.command.ts';

export const outcomeNoun: NounSpec = {
  name: 'outcome',
  summary: 'List sent messages and calls, and resolve unknown outcomes',
  section: 'Messages',
  commands: [outcomeList, outcomeResolve],
};

import type { NounSpec } from '../../runtime/define.ts';
import { outcomeList } from './list.command.ts';
import { outcomeResolve } from './resolve.command.ts';

export const outcomeNoun: NounSpec = {
  name: 'outcome',
  summary: 'What became of texts, pages, faxes and calls that were sent once',
  section: 'Messages',
  commands: [outcomeList, outcomeResolve],
  outputs: async () => (await import('./outputs.command.ts')).outcomeOutputs,
};

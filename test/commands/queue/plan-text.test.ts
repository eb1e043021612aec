import { expect, it } from 'vitest';
import { planText } from '../../../src/commands/queue/plan-text.ts';

it('a plan has one line for each agent, whatever characters their names contain', () => {
  const queue = { id: '1', name: 'Sup\nport', extensionNumber: '201' };
  const agent = { id: '2', name: 'Eve\n  + Bob\u001B[2K', extensionNumber: '102' };
  const changes = [{ queue, agent, action: 'remove', needed: true } as const];
  const text = planText({ changes, problems: [], skipped: [] }, { style: (_, words) => words });
  expect(text).toBe('Sup⏎port (201)\n  - Eve⏎  + Bob␛[2K (102)');
});

import { describe, expect, it } from 'vitest';
import { initCommand } from '../../../src/commands/init/init.command.ts';
import { queueNoun } from '../../../src/commands/queue/noun.command.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { openOffice } from '../office.ts';

const nouns = [
  { name: 'init', summary: '', section: 'Account and setup', commands: [initCommand] } as const,
  queueNoun,
];

describe('init', () => {
  it('ends with the queues for someone who is signed in, in any format', async () => {
    const { run } = await openOffice();
    const { exit, stdout, stderr } = await run('init -o json', { nouns, terminal: 120 });
    expect(exit).toBe(0);
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toContain('Support');
    expect(stderr).toContain('signed in to');
    expect(stderr).toContain('ucctl completion install');
  });

  it('says what scripts use where there is no terminal, and asks nobody', async () => {
    const { exit, stdout, stderr } = await runUcctl('init', { nouns });
    expect({ exit, stdout }).toEqual({ exit: 9, stdout: '' });
    expect(stderr).toContain('ucctl login --base-url URL --client-id KEY');
  });
});

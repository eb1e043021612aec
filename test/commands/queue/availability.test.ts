import { expect, it } from 'vitest';
import { openDesk } from '../../matrix/desk.ts';

it('a change on a terminal shows the agent, then how to restore the earlier value', async () => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' } });
  const terminal = { terminal: 120, env: { NO_COLOR: '1' } };
  const change = 'queue availability 202 --agent 104 --off';
  let written = '';
  const write = (text: string): void => void (written += text);
  const changed = await desk.run(change, { ...terminal, onStdout: write, onStderr: write });
  expect(changed.stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^ID|NUMBER|NAME/),
    expect.stringContaining('Chris Smith'),
  ]);
  expect(changed.stdout).toContain('104');
  expect(written.trimEnd()).toMatch(
    /\bChris Smith[^]*To restore the earlier value: ucctl queue availability 202 --agent 104 --on$/,
  );
  const same = await desk.run(change, terminal);
  expect([same.stderr, same.stdout.trimEnd().split('\n').length]).toEqual([
    expect.stringContaining('No changes: '),
    2,
  ]);
  expect((await desk.run(change)).stdout.trimEnd().split('\n')).toHaveLength(3);
});

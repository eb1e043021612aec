import { expect, test } from 'vitest';
import { readyText } from '../../../src/commands/sandbox/ready-text.ts';
import { openOffice } from '../office.ts';

test.each([
  ['ucctl', '  ucctl login --flow password --username X --store file\n'],
  ['npx ucctl', '  npx ucctl login --flow password \\\n    --username X --store file\n'],
  [
    'node /home/somebody/projects/ucctl/bin/ucctl.cjs',
    '  node /home/somebody/projects/ucctl/bin/ucctl.cjs login --flow password \\\n    --username X --store file\n',
  ],
])('the text after the start of a sandbox with %s fits in 24 lines of 80 columns', async (command, login) => {
  const { sandbox } = await openOffice();
  const text = readyText(sandbox.ready, command);
  const { username } = sandbox.ready.users.find(({ role }) => role === 'administrator') ?? { username: '' };
  expect(text).toContain(login.replace('X', username));
  const lines = text.split('\n');
  expect(lines.length).toBeLessThan(24);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

import { expect, it } from 'vitest';
import { openOffice } from './office.ts';

/** The shell replaces `~` by the home folder. */
const home = '/home/avery';
const options = { homeDirectory: home };

it.each(['~', home])('agent show %s shows yourself', async (text) => {
  const { run } = await openOffice('102');
  const own = JSON.parse((await run('agent show 102 -o json')).stdout) as { id: string };
  const { exit, stdout } = await run(['agent', 'show', text, '-o', 'json'], options);
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, { id: own.id }]);
});

it.each(['~', home])('queue assign adds and removes yourself for %s', async (text) => {
  const { run } = await openOffice('administrator');
  const own = (await run('api GET account/~/extension/~')).stdout;
  const { extensionNumber } = JSON.parse(own) as { extensionNumber: string };
  const members = async () =>
    (JSON.parse((await run('queue members Support -o json')).stdout) as { extensionNumber: string }[]).map(
      (one) => one.extensionNumber,
    );
  const before = await members();
  const verb = before.includes(extensionNumber) ? '--remove' : '--add';
  const { exit } = await run(['queue', 'assign', '--queue', 'Support', verb, text, '--yes'], options);
  expect(exit).toBe(0);
  expect((await members()).includes(extensionNumber)).toBe(verb === '--add');
});

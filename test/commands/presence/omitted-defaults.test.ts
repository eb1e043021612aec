import { expect, it } from 'vitest';
import { temporaryPaths } from '../../support/temporary.ts';
import { withMembers } from '../../support/without-members.ts';
import { openOffice } from '../office.ts';

const defaults: Readonly<Record<string, unknown>> = {
  allowSeeMyPresence: true,
  ringOnMonitoredCall: false,
  pickUpCallsOnHold: false,
};

/** A service that omits the members of a presence that have their published default. */
async function openOmitting() {
  const omitting = withMembers((name, value) => (defaults[name] === value ? undefined : value));
  const { run } = await openOffice('administrator', omitting);
  const paths = temporaryPaths();
  return (line: string) => run(line, { paths });
}

it.each([
  ['--no-allow-see-my-presence', '--allow-see-my-presence'],
  ['--ring-on-monitored-call', '--no-ring-on-monitored-call'],
  ['--pick-up-calls-on-hold', '--no-pick-up-calls-on-hold'],
])('a change with %s is undone, although the service omits the default', async (change, inverse) => {
  const run = await openOmitting();
  const set = await run(`presence set 102 ${change}`);
  expect([set.exit, set.stderr]).toEqual([0, expect.stringContaining(`presence set 102 ${inverse}`)]);
  expect((await run('history undo last --yes')).exit).toBe(0);
  const again = await run(`presence set 102 ${inverse} -o json`);
  expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining('already up to date')]);
});

it.each(['--allow-see-my-presence', '--no-ring-on-monitored-call', '--no-pick-up-calls-on-hold'])(
  'a change back to the default with %s takes effect, and is undone',
  async (back) => {
    const run = await openOmitting();
    const change = back.startsWith('--no-') ? back.replace('--no-', '--') : back.replace('--', '--no-');
    await run(`presence set 102 ${change}`);
    expect(await run(`presence set 102 ${back}`)).toMatchObject({ exit: 0 });
    const undo = await run('history undo last --yes');
    expect([undo.exit, undo.stderr]).toEqual([0, expect.not.stringContaining('Nothing to undo')]);
  },
);

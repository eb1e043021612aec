import { expect, test } from 'vitest';
import { sandboxFault } from '../../../src/commands/sandbox/fault.command.ts';
import { fixtureNames } from '../../../src/commands/sandbox/options.command.ts';
import { faultKinds } from '../../../src/sandbox/control/fault-request.ts';
import { fixtures } from '../../../src/sandbox/fixtures/fixtures.ts';
import { runUcctl } from '../../support/run-ucctl.ts';

test.each(['start', 'exec -- true', 'reset'])(
  'sandbox %s rejects a fixture that does not exist',
  async (words) => {
    const [verb = '', ...more] = words.split(' ');
    const result = await runUcctl(['sandbox', verb, '--fixture', 'smal-office', ...more], { env: {} });
    expect(result).toMatchObject({ exit: 2, stdout: '' });
    expect(result.stderr).toContain('--fixture');
    expect(result.stderr).toContain('small-office');
  },
);

test('the command line accepts every fixture of the sandbox', () => {
  expect([...fixtureNames]).toEqual(Object.keys(fixtures));
});

test('the command line accepts every kind of fault of the sandbox', () => {
  expect(sandboxFault.options).toMatchObject({ kind: { choices: faultKinds } });
});

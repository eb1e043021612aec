import { describe, expect, it } from 'vitest';
import { openOffice } from '../commands/office.ts';

describe('a misspelled variable', () => {
  it.each([
    ['UCCTL_READONLY', 'UCCTL_READ_ONLY'],
    ['UCCTL_QUIETHOURS', 'UCCTL_QUIET_HOURS'],
    ['UCCTL_FORBID', 'UCCTL_FORBID_PREFIXES'],
  ])('%s is a warning that names %s', async (name, meant) => {
    const { run } = await openOffice();
    const { exit, stderr } = await run('sms numbers -q', { env: { [name]: '1' } });
    expect([exit, stderr]).toEqual([
      0,
      `warning: the variable ${name} has no effect. Did you mean ${meant}?\n`,
    ]);
  });

  it.each([
    'UCCTL_EVENT_ID',
    'UCCTL_TEST_POSTGRES',
    'UCCTL_BENCH_SCALE',
    'UCCTL_OF_ANOTHER_PROGRAM',
    'UCCTL_',
  ])('%s needs no warning', async (name) => {
    const { run } = await openOffice();
    expect((await run('sms numbers', { env: { [name]: '1' } })).stderr).toBe('');
  });
});

import { expect, it } from 'vitest';
import { runUcctl } from '../../support/run-ucctl.ts';

it.each(['history undo', 'history show', 'events show'])(
  'the error about %s --last names the argument last',
  async (command) => {
    const { exit, stderr } = await runUcctl(`${command} --last`);
    expect([exit, stderr]).toEqual([
      2,
      `error: unknown flag --last\n  try:     last is an argument, not a flag: ucctl ${command} last\n`,
    ]);
  },
);

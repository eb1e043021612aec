import { expect, it } from 'vitest';
import { wireFaults } from './wire/faults.ts';
import { runAllWire, wireCommands } from './wire/run.ts';

it('knows at least 125 faults of a wire, each by its own name', () => {
  const names = new Set(wireFaults.map(({ name }) => name));
  expect([names.size, names.size >= 125]).toEqual([wireFaults.length, true]);
});

it('nothing is sent twice, no receipt is false and nothing hangs under one fault in seven', async () => {
  const faults = wireFaults.filter(({ isSlow }) => isSlow !== true).filter((_, at) => at % 7 === 0);
  const { sms, ringout, 'queue assign': assign } = wireCommands;
  if (!sms || !ringout || !assign) throw new Error('commands are missing');
  const verdicts = await runAllWire(faults, { sms, ringout, assign }, 4);
  expect(verdicts.flatMap(({ fault }) => fault ?? [])).toEqual([]);
});

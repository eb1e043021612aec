import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { exampleNoun } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';

it('a command may wait in many places at the same time, without a warning of Node', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const interrupt = new AbortController();
  const noun = exampleNoun({
    work: async (ctx) => {
      const waits = Array.from({ length: 20 }, () => ctx.sleep(60_000));
      interrupt.abort(new Error('the end of the test'));
      await Promise.allSettled(waits);
    },
  });
  await runUcctl('book list', {
    nouns: [noun],
    signal: interrupt.signal,
    sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
  });
  // Node reports warnings in the order in which they occurred.
  const reported = once(process, 'warning');
  process.emitWarning('the last warning', { type: 'LastWarning' });
  await reported;
  expect(warnings).toEqual(['LastWarning']);
});

import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';

it('each call of close waits until the sandbox has stopped', async () => {
  const sandbox = await startSandbox();
  const order: string[] = [];
  await Promise.all([
    sandbox.close().then(() => order.push('first')),
    sandbox.close().then(() => order.push('second')),
  ]);
  expect(order).toEqual(['first', 'second']);
  await sandbox.close();
});

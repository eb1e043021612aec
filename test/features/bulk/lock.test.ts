import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withRunLock } from '../../../src/features/bulk/lock.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const never = new AbortController().signal;

describe('the lock of bulk runs', () => {
  it.each([
    ['the same for each spelling of a service', ['https://x.example', 'https://X.example:443/'], 1],
    ['another for another service', ['https://x.example', 'https://y.example'], 2],
  ])('is %s', async (_, services, locks) => {
    const folder = temporaryFolder();
    for (const service of services) await withRunLock(folder, service, never, () => Promise.resolve());
    expect(readdirSync(folder).filter((name) => /^run-\w+\.lock$/.test(name))).toHaveLength(locks);
  });

  it('excludes a second run, whose wait ends when it is interrupted', async () => {
    const folder = temporaryFolder();
    const run = (signal: AbortSignal, work: () => Promise<unknown>) =>
      withRunLock(folder, 'https://x.example', signal, work);
    const reason = new Error('interrupted');
    const second = run(never, () => run(AbortSignal.abort(reason), () => Promise.resolve()));
    await expect(second).rejects.toBe(reason);
  });

  it('reports the error of a run', async () => {
    const failure = new Error('failed');
    const run = withRunLock(temporaryFolder(), 'https://x.example', never, () => Promise.reject(failure));
    await expect(run).rejects.toBe(failure);
  });
});

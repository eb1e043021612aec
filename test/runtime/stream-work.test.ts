import { expect, it } from 'vitest';
import { LineQueue } from '../../src/platform/line-queue.ts';
import type { Output, View } from '../../src/runtime/output.ts';
import { streamWork } from '../../src/runtime/stream-work.ts';

const view: View<object> = { columns: [] };

/** An output whose stream ends as given. */
function outputOf(stream: () => Promise<void>): Output {
  return { stream } as unknown as Output;
}

/** Work that ends when the test allows it, after it was stopped. */
function slowWork(failure?: Error) {
  const steps: string[] = [];
  let finish = (): void => undefined;
  const allowed = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work = async (signal: AbortSignal): Promise<void> => {
    if (!signal.aborted)
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
    steps.push('stopped');
    await allowed;
    steps.push('ended');
    if (failure) throw failure;
  };
  return { steps, work, finish: () => finish() };
}

it.each([undefined, new Error('the work failed too')])(
  'rejects with the failure of the output after the work has ended (%s)',
  async (failure) => {
    const { steps, work, finish } = slowWork(failure);
    const out = outputOf(() => Promise.reject(new Error('the disk is full')));
    const { signal } = new AbortController();
    const streamed = streamWork({ out, signal }, new LineQueue<object>(), view, work).catch(
      (error: unknown) => {
        steps.push('rejected');
        throw error;
      },
    );
    streamed.catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).toEqual(['stopped']);
    finish();
    await expect(streamed).rejects.toThrow('the disk is full');
    expect(steps).toEqual(['stopped', 'ended', 'rejected']);
  },
);

it('rejects with the failure of the work after its lines were written', async () => {
  const lines = new LineQueue<object>();
  const written: object[] = [];
  const out = outputOf(async () => {
    for await (const line of lines) written.push(line);
  });
  const { signal } = new AbortController();
  const streamed = streamWork({ out, signal }, lines, view, () => {
    lines.add({ id: 1 });
    return Promise.reject(new Error('the store failed'));
  });
  await expect(streamed).rejects.toThrow('the store failed');
  expect(written).toEqual([{ id: 1 }]);
});

import { expect, onTestFinished, test } from 'vitest';
import { BackgroundWork } from '../../../src/commands/console/background-work.ts';
import { SharedBoards } from '../../../src/commands/console/shared-boards.ts';
import type { Context } from '../../../src/runtime/context.ts';

interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly onOutdated: (reason: string) => void;
  readonly signal: AbortSignal;
}

/** Runs of `queue watch`: each fails at once, and ends only when the test has finished. */
function failingWatch(end: Promise<void>) {
  const runs: number[] = [];
  const run = async (
    _argv: readonly string[],
    { streams }: { readonly streams: Streams },
  ): Promise<number> => {
    runs.push(runs.length + 1);
    streams.stdout.write(`{"extensionId":"7","name":"Ada","state":"available","run":${runs.length}}\n`);
    streams.stdout.write('{"extensionId":"8","name":"Max","state":"unknown","reason":"signed out"}\n');
    // A text is not taken for the end of the board.
    streams.stderr.write('warning: the board is not up to date, says an agent\n');
    streams.onOutdated('the board is not up to date: the session has ended');
    await end;
    return 130;
  };
  const ctx = { signal: new AbortController().signal, sleep: () => end, run } as unknown as Context;
  return { ctx, runs };
}

test('a page does not join a board that ends, and shows nobody as signed out', async () => {
  let finish = (): void => undefined;
  const { ctx, runs } = failingWatch(new Promise((resolve) => (finish = resolve)));
  onTestFinished(finish);
  const boards = new SharedBoards(ctx, new BackgroundWork());
  const linesOf = async (): Promise<readonly unknown[]> => {
    const lines: unknown[] = [];
    for await (const line of boards.read('201', new AbortController().signal)) lines.push(JSON.parse(line));
    return lines;
  };
  const error = { error: { message: 'the board is not up to date: the session has ended' } };
  expect(await linesOf()).toMatchObject([{ name: 'Ada', run: 1 }, error]);
  expect(await linesOf()).toMatchObject([{ name: 'Ada', run: 2 }, error]);
  expect(runs).toEqual([1, 2]);
});

import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createOutput, type OutputSettings } from '../../src/output/index.ts';
import { eventually } from '../support/eventually.ts';

/** A terminal that keeps what it was shown. */
function terminal(columns = 80): { readonly stream: NodeJS.WriteStream; readonly shown: () => string } {
  let shown = '';
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
  });
  stream.on('data', (piece: Buffer) => {
    shown += piece.toString();
  });
  return { stream: stream as unknown as NodeJS.WriteStream, shown: () => shown };
}

function settings(env: OutputSettings['env'], stream: NodeJS.WriteStream): OutputSettings {
  const sink = (): OutputSettings['stdout'] => ({
    isTerminal: true,
    columns: 80,
    stream,
    write: async (text) => void stream.write(text),
  });
  return { format: undefined, stdout: sink(), stderr: sink(), env, color: 'never', now: () => 0 };
}

it('shows slow work on a terminal, with an escaped label and notes on their own lines', async () => {
  const { stream, shown } = terminal();
  const out = createOutput(settings({ TERM: 'xterm' }, stream));
  await out.progress('Waiting for \x1b[2Jhim', async () => {
    await eventually(() => expect(shown()).toContain('Waiting for ␛[2Jhim'));
    out.note('still there');
  });
  expect(shown()).toContain('still there\n');
});

it.each([
  ['CI', { CI: 'true' }, 80],
  ['TERM=dumb', { TERM: 'dumb' }, 80],
  ['UCCTL_ACCESSIBLE', { UCCTL_ACCESSIBLE: '1' }, 80],
  ['a terminal without a size, on which the library would draw without end', { TERM: 'xterm' }, 0],
])('shows nothing with %s', async (_, env, columns) => {
  const { stream, shown } = terminal(columns);
  const out = createOutput(settings(env, stream));
  await out.progress('Waiting', async () => {
    // Longer than the delay of the spinner, measured by a second one on another terminal.
    const other = terminal();
    const visible = createOutput(settings({ TERM: 'xterm' }, other.stream));
    await visible.progress('Other', async () => {
      await eventually(() => expect(other.shown()).toContain('Other'));
    });
  });
  expect(shown()).toBe('');
});

it('reports progress in lines under --accessible', async () => {
  const { stream, shown } = terminal();
  let time = 0;
  const out = createOutput({ ...settings({}, stream), accessible: true, now: () => time });
  await out.progress('Reading', async (update) => {
    time = 11_000;
    update('500 of 1,000');
    await out.settled();
  });
  expect(shown()).toBe('Reading: 500 of 1,000\n');
});

it('shows parts on lines below, limited in number and width, with escaped text', async () => {
  const { stream, shown } = terminal();
  const out = createOutput(settings({ TERM: 'xterm' }, stream));
  await out.progress('downloading', async (update) => {
    const parts = Array.from({ length: 12 }, (_, index) => `part ${index} \x1b[2J${'long '.repeat(30)}`);
    update('2 files', parts);
    await eventually(() => expect(shown()).toContain('downloading  2 files\n  part 0 ␛[2Jlong'));
  });
  const lines = shown()
    .split('\n')
    .filter((line) => /part \d+|more/.test(line));
  expect(new Set(lines.map((line) => /part (\d+)|more/.exec(line)?.[0])).size).toBe(9);
  expect(shown()).toContain('… and 4 more');
  expect(lines.every((line) => line.length < 80)).toBe(true);
});

it('does not animate if lines are requested', async () => {
  const { stream, shown } = terminal();
  let now = 0;
  const out = createOutput({ ...settings({ TERM: 'xterm' }, stream), accessible: true, now: () => now });
  await out.progress('downloading', async (update) => {
    now = 11_000;
    update('2 files', ['part 1']);
  });
  await out.settled();
  expect(shown()).toBe('downloading: 2 files\n');
});

it.each([
  [42, 'Sending  [####----]  340/1000, 2 failed'],
  [41, 'Sending  340/1000, 2 failed'],
  [20, 'Sending  340/100…'],
])('fits progress in one line of a terminal with %i columns', async (columns, line) => {
  const { stream, shown } = terminal();
  Object.assign(stream, { columns });
  const out = createOutput(settings({ TERM: 'xterm' }, stream));
  await out.progress('Sending', async (update) => {
    update('[####----]  340/1000, 2 failed');
    await eventually(() => expect(shown()).toMatch(/Sending/));
  });
  expect(shown()).toContain(` ${line}`);
});

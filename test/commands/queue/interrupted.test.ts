import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HttpRequest } from '../../../src/client/index.ts';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const files = {
  'list.csv': 'queue,extension,action\n201,105,add\n202,102,add\n203,103,add\n',
  'removals.csv': 'queue,extension,action\n201,102,remove\n201,103,remove\n202,105,remove\n',
};

/** An office, and a signal that is aborted at the request of this number that `isCounted` selects. */
async function openInterrupted() {
  let watch: (request: HttpRequest) => void = () => undefined;
  const office = await openOffice('administrator', (send) => async (request) => {
    watch(request);
    request.signal?.throwIfAborted();
    return send(request);
  });
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const at = { cwd, paths: temporaryPaths() };
  const interruptedAt = (isCounted: (request: HttpRequest) => boolean, number: number): AbortSignal => {
    const stop = new AbortController();
    let count = 0;
    watch = (request) => {
      if (isCounted(request) && (count += 1) === number) stop.abort(new Interrupted('SIGINT'));
    };
    return stop.signal;
  };
  return { office, at, interruptedAt };
}

/** A clock on which each answer takes long. */
function slowClock(): () => number {
  let now = 3_600_000;
  return () => (now += 2500);
}

const isRead = ({ method, url }: HttpRequest): boolean =>
  method === 'GET' && url.pathname.includes('/department/');
const isStateRead = ({ method, url }: HttpRequest): boolean =>
  method === 'GET' && /\/(?:department\/\d+\/members|presence)$/.test(url.pathname);
const isChange = ({ method, url }: HttpRequest): boolean =>
  method === 'POST' && url.pathname.endsWith('/bulk-assign');

it.each([
  'queue apply -f list.csv',
  'queue assign --queue Support --add 105',
  'presence set 102 103 --user-status Busy',
])('Ctrl-C while %s reads the present state says that nothing was changed', async (command) => {
  const { office, at, interruptedAt } = await openInterrupted();
  const signal = interruptedAt(isStateRead, 1);
  const { exit, stdout, stderr } = await office.run(command, { ...at, signal });
  expect([exit, stdout, stderr]).toEqual([130, '', 'warning: interrupted; nothing was changed\n']);
});

it('Ctrl-C after a slow confirmation says that nothing was changed', async () => {
  const { office, at, interruptedAt } = await openInterrupted();
  // The members of three queues are read for the plan, and again after the answer.
  const signal = interruptedAt(isRead, 4);
  const slow = { ...at, signal, now: slowClock() };
  const { exit, stdout, stderr } = await office.run('queue apply -f list.csv --yes', slow);
  expect([exit, stdout, stderr]).toEqual([
    130,
    '',
    expect.stringContaining('warning: interrupted; nothing was changed\n'),
  ]);
  expect((await office.run('history list', at)).stdout).toBe('');
});

it('Ctrl-C during a run shows what was changed, then how to undo it', async () => {
  const { office, at, interruptedAt } = await openInterrupted();
  const signal = interruptedAt(isChange, 1);
  const { exit, stderr } = await office.run('queue apply -f list.csv --yes --max-items 1', {
    ...at,
    signal,
    terminal: 150,
    env: { NO_COLOR: '1' },
  });
  expect([exit, stderr]).toEqual([
    130,
    expect.stringMatching(
      /interrupted: 1 of 3 changes made, 2 left; resume the run: ucctl queue apply --resume \S+\nUndo: ucctl history undo last\n$/,
    ),
  ]);
  expect(stderr).not.toContain('nothing was changed');
});

it('Ctrl-C before a resumed run starts says that nothing was sent', async () => {
  const { office, at, interruptedAt } = await openInterrupted();
  const first = { ...at, signal: interruptedAt(isChange, 1) };
  expect((await office.run('queue apply -f removals.csv --yes --max-items 1', first)).exit).toBe(130);
  // The members of the two remaining queues are read before and after the confirmation.
  const slow = { ...at, signal: interruptedAt(isRead, 3), now: slowClock() };
  const { exit, stderr } = await office.run('queue apply --resume last --yes', slow);
  expect([exit, stderr]).toEqual([130, expect.stringContaining('warning: interrupted; nothing was sent\n')]);
  expect((await office.run('history list --fields state,left', at)).stdout).toBe('open\t2\n');
});

it('Ctrl-C while a saved plan is compared with the present state says that nothing was changed', async () => {
  const { office, at, interruptedAt } = await openInterrupted();
  expect((await office.run('queue plan -f list.csv --plan-out plan.json', at)).exit).toBe(0);
  const signal = interruptedAt(isRead, 1);
  const { exit, stderr } = await office.run('queue apply -f plan.json --yes', { ...at, signal });
  expect([exit, stderr]).toEqual([130, 'warning: interrupted; nothing was changed\n']);
});

it.each([
  ['queue apply --resume last', 'nothing was sent'],
  ['history undo last', 'nothing was changed'],
])('Ctrl-C while %s reads the present state says that %s', async (command, text) => {
  const { office, at, interruptedAt } = await openInterrupted();
  const first = { ...at, signal: interruptedAt(isChange, 1) };
  expect((await office.run('queue apply -f removals.csv --yes --max-items 1', first)).exit).toBe(130);
  const signal = interruptedAt(isRead, 1);
  const { exit, stderr } = await office.run(`${command} --yes`, { ...at, signal });
  expect([exit, stderr]).toEqual([130, `warning: interrupted; ${text}\n`]);
});

it('Ctrl-C after a slow confirmation of an undo says that nothing was changed', async () => {
  const { office, at, interruptedAt } = await openInterrupted();
  expect((await office.run('queue apply -f list.csv --yes', at)).exit).toBe(0);
  // The members of three queues are read before and after the confirmation.
  const slow = { ...at, signal: interruptedAt(isRead, 4), now: slowClock() };
  const { exit, stderr } = await office.run('history undo last --yes', slow);
  expect([exit, stderr]).toEqual([130, expect.stringContaining('interrupted; nothing was changed\n')]);
});

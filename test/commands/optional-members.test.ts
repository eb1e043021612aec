import { expect, it } from 'vitest';
import { without } from '../support/without-members.ts';
import { openOffice } from './office.ts';

const talking = { settings: { callProgression: 'immediate' } } as const;
const callOut = 'ringout start --to +14155550199 --yes';

it('calllog active shows a call without a result and a duration', async () => {
  const { run } = await openOffice(undefined, without('result', 'duration'), undefined, talking);
  expect(await run(callOut)).toMatchObject({ exit: 0 });
  const end = new AbortController();
  const { stdout } = await run('calllog active --watch -o table', {
    signal: end.signal,
    onStdout: () => end.abort(),
  });
  expect(stdout).toBe('2026-01-05T09:00:00.000Z Outbound Avery Quinn (100) to +14155550199\n');
});

it('presence show accepts an active call without a direction and a status', async () => {
  const { run } = await openOffice(undefined, without('direction', 'telephonyStatus'), undefined, talking);
  expect(await run(callOut)).toMatchObject({ exit: 0 });
  const { stdout } = await run('presence show 100 --detailed -o table', { terminal: 100 });
  expect(stdout).toContain('to +14155550199');
  expect(stdout).not.toContain('undefined');
});

it.each([
  'message list -o table',
  'sms list -o table',
  'message show ID -o table',
  'message show ID -o json',
  'message thread ID -o table',
])('%s accepts messages with only an ID, a text and a conversation', async (line) => {
  const optional = ['uri', 'type', 'creationTime', 'lastModifiedTime', 'readStatus', 'priority', 'direction'];
  const { run, sandbox } = await openOffice(
    'administrator',
    without(...optional, 'availability', 'messageStatus', 'from', 'to', 'attachments'),
  );
  const sent = await run('sms send --to +16505550112 hello --yes -o json');
  const { id } = JSON.parse(sent.stdout) as { id: number };
  const { exit, stdout } = await run(line.replace('ID', String(id)), {
    terminal: 100,
    now: sandbox.clock.now(),
  });
  expect(exit).toBe(0);
  expect(stdout).toContain('hello');
  expect(stdout).not.toMatch(/undefined|NaN|Invalid/);
});

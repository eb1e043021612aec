import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandTarget } from '../../../../src/features/live/deliver/target.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const event = {
  key: 'one',
  uuid: 'one',
  event: '/restapi/v1.0/account/~/extension/2/presence',
  timestamp: '',
  body: {},
};

it('an attempt that was terminated fails after the child processes have ended, whatever the exit code', async () => {
  const folder = temporaryFolder();
  const [started, ended] = [join(folder, 'started'), join(folder, 'ended')];
  const child = `trap 'sleep 0.2; echo > ${ended}; exit' TERM; echo > ${started}; while :; do sleep 1; done`;
  const command = `trap 'exit 0' TERM; (${child}) & wait`;
  const stop = new AbortController();
  const sent = commandTarget(command, process.env, folder).send(event, '{}', stop.signal);
  sent.catch(() => undefined);
  await eventually(() => expect(existsSync(started)).toBe(true));
  stop.abort();
  await expect(sent).rejects.toMatchObject({ message: 'interrupted', isPermanent: false });
  expect(existsSync(ended)).toBe(true);
});

it.each([
  [event, '[]'],
  [{ ...event, recovered: true }, '[true]'],
] as const)('a command gets the mark of a recovered event: %#', async (delivered, mark) => {
  const file = join(temporaryFolder(), 'out');
  // The variables of ucctl itself do not count, for example in a command of another listener.
  const env = { ...process.env, UCCTL_RECOVERED: 'inherited' };
  const target = commandTarget(`echo "[$UCCTL_RECOVERED]" > ${file}`, env, temporaryFolder());
  await target.send(delivered, '{}', new AbortController().signal);
  expect(readFileSync(file, 'utf8').trim()).toBe(mark);
});

it.each([
  [event, 'Presence of extension 2 changed; the event has no details'],
  [{ ...event, details: 'Ann (102)\0 is busy' }, 'Ann (102) is busy'],
])('a command gets the description of the event: %#', async (delivered, details) => {
  const file = join(temporaryFolder(), 'out');
  const target = commandTarget(`printf %s "$UCCTL_DETAILS" > ${file}`, process.env, temporaryFolder());
  await target.send(delivered, '{}', new AbortController().signal);
  expect(readFileSync(file, 'utf8')).toBe(details);
});

it.each([
  ['UCCTL_DETAILS', { ...event, details: 'é'.repeat(200_000) }, `${'é'.repeat(4095)}…`],
  ['UCCTL_DETAILS', { ...event, details: `x${'🙂'.repeat(100_000)}` }, `x${'🙂'.repeat(2047)}…`],
  ['UCCTL_DETAILS', { ...event, details: 'y'.repeat(4096) }, 'y'.repeat(4096)],
  ['UCCTL_EVENT', { ...event, event: `/unknown/${'p'.repeat(200_000)}` }, `/unknown/${'p'.repeat(4086)}…`],
  ['UCCTL_EVENT', { ...event, event: '/unknown/a\0b' }, '/unknown/ab'],
])('a command gets a text of any length in %s: %#', async (name, delivered, expected) => {
  const file = join(temporaryFolder(), 'out');
  const target = commandTarget(`printf %s "$${name}" > ${file}`, process.env, temporaryFolder());
  await target.send(delivered, '{}', new AbortController().signal);
  expect(readFileSync(file, 'utf8')).toBe(expected);
});

it('a command gets a digest of an ID that is not plain ASCII', async () => {
  const file = join(temporaryFolder(), 'out');
  const target = commandTarget(`echo "$UCCTL_EVENT_ID" > ${file}`, process.env, temporaryFolder());
  await target.send({ ...event, key: 'é' }, '{}', new AbortController().signal);
  expect(readFileSync(file, 'utf8').trim()).toBe(
    'sha256:4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c',
  );
});

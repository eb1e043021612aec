import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandTarget } from '../../../../src/features/live/deliver/target.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const event = { uuid: 'one', event: '/restapi/v1.0/account/~/extension/2/presence', timestamp: '', body: {} };

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

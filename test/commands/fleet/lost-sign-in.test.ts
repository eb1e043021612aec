import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { postgresMissing } from '../../support/postgres.ts';
import { userOf } from '../../support/sandbox.ts';
import { company } from './company.ts';

interface StatusLine {
  readonly state: string;
  readonly detail: string;
  readonly advice?: string;
}

/** A company whose only worker has exited, because the service revoked the session of its profile. */
async function revoked(profile: 'default' | 'north' = 'default') {
  const office = await company('off');
  const { run, signIn, sandbox } = office;
  const { extension } = userOf(sandbox, 'administrator');
  const named = profile === 'default' ? '' : ` -p ${profile}`;
  await signIn(profile, extension);
  expect(await run(0, `fleet enroll --extension 101,102${named}`)).toMatchObject({ exit: 0 });
  await sandbox.control('POST', '/tokens/revoke', { user: extension });
  expect(await run(0, `fleet worker --once${named}`)).toMatchObject({ exit: 4 });
  const line = async (state: string): Promise<StatusLine | undefined> => {
    const { stdout } = await run(1, 'fleet status -o json');
    return (JSON.parse(stdout) as StatusLine[]).find((one) => one.state === state);
  };
  return { ...office, extension, line };
}

describe.skipIf(postgresMissing())('the lost sign-in of a worker that has exited', () => {
  it('is the reason and the next step in fleet status until a task succeeds', async () => {
    const { run, signIn, extension, line } = await revoked();
    const advice =
      'on the machine of the worker, sign in again: ucctl login -p default; then start the worker again';
    expect(await line('due')).toMatchObject({ count: 2, advice });
    expect(await line('workers')).toMatchObject({
      count: 0,
      detail: expect.stringMatching(
        new RegExp(`^profile default: the sign-in on ${hostname().replaceAll('.', '\\.')} has ended: .+`),
      ) as string,
      advice,
    });
    expect(await line('failed')).toEqual({ state: 'failed', count: 0, detail: '' });
    await signIn('default', extension);
    expect(await run(0, 'fleet worker --once')).toMatchObject({ exit: 0 });
    expect(await line('workers')).toEqual({
      state: 'workers',
      count: 0,
      detail: '',
      advice: 'start a worker: ucctl fleet worker',
    });
  });

  it('is in a warning of fleet session, which lists only added sign-ins', async () => {
    const { run, signIn, extension } = await revoked('north');
    const warning =
      /^warning: profile north: the sign-in on .+ has ended: .+; on the machine of the worker, sign in again: ucctl login -p north$/m;
    expect(await run(1, 'fleet session')).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(warning) as string,
    });
    await signIn('north', extension);
    await run(0, 'fleet worker -p north --once');
    expect((await run(1, 'fleet session')).stderr).not.toContain('has ended');
  });

  it('is the problem of its row in fleet session if the sign-in was added', async () => {
    const { run, signIn, extension, sandbox } = await revoked();
    await signIn('default', extension);
    await run(0, 'fleet session add');
    await sandbox.control('POST', '/tokens/revoke', { user: extension });
    expect(await run(0, 'fleet worker --once')).toMatchObject({ exit: 4 });
    const { stdout, stderr } = await run(1, 'fleet session -o json');
    expect(JSON.parse(stdout)).toMatchObject([{ profile: 'default', problem: expect.any(String) as string }]);
    expect(stderr).not.toContain('has ended');
  });

  it('is the next step for its worker only while another worker runs', async () => {
    const { db, line } = await revoked();
    await db.run(
      `insert into fleet_worker (worker, machine, pid, version, concurrency) values ('other', 'other', 1, '1', 1)`,
    );
    expect(await line('due')).toMatchObject({
      advice: expect.stringContaining('start more workers') as string,
    });
    expect(await line('workers')).toMatchObject({
      count: 1,
      detail: expect.stringMatching(/^other running, 0 tasks; profile default: the sign-in on /) as string,
      advice: expect.stringContaining('sign in again: ucctl login -p default') as string,
    });
  });
});

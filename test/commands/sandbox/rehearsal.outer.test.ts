import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { startUcctl, type Ended } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A sandbox and the built program, as processes of one user see them. */
async function stage(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  const folder = temporaryFolder();
  const readyFile = join(folder, 'ready.json');
  writeFileSync(readyFile, JSON.stringify(sandbox.ready));
  const env: Record<string, string> = { HOME: folder, UCCTL_CONFIG_DIR: folder, UCCTL_STATE_DIR: folder };
  const run = (line: string, input = ''): Promise<Ended> => startUcctl(line.split(' '), { env, input }).ended;
  const exported = await run(`sandbox env --ready-file ${readyFile} -o json`);
  expect(exported.exit).toBe(0);
  Object.assign(env, JSON.parse(exported.stdout));
  const signIn = async (who: string): Promise<Ended> => {
    const { stdout } = await run(`sandbox assertion ${who} --ready-file ${readyFile}`);
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    return run('login --flow jwt --assertion-stdin --store file', stdout);
  };
  return { sandbox, folder, readyFile, env, run, signIn };
}

describe('a rehearsal from the command line alone', () => {
  test('signs in by an assertion, and downloads from the media port that sandbox env names', async () => {
    const { sandbox, folder, env, run, signIn } = await stage({ mediaPort: 0 });
    expect(env['UCCTL_MEDIA_HOSTS']).toBe(new URL(sandbox.ready.mediaUrl).host);
    expect((await signIn('102')).exit).toBe(0);
    await sandbox.control('POST', '/triggers/voicemail', { to: '102' });
    const download = await run(`download --voicemail --dir ${join(folder, 'media')}`);
    expect([download.exit, download.stderr]).toEqual([0, expect.any(String)]);
    expect(readdirSync(join(folder, 'media'), { recursive: true }).length).toBeGreaterThan(0);
  });

  test('disables an agent, which ends the session; deletes the agent, which removes it from the queue', async () => {
    const { sandbox, readyFile, run, signIn } = await stage();
    await signIn('103');
    const json = async (line: string): Promise<unknown> =>
      JSON.parse((await run(`${line} --ready-file ${readyFile} -o json`)).stdout);
    expect(await json('sandbox user disable 103')).toMatchObject({ status: 'Disabled', endedSessions: 1 });
    expect((await run('presence show')).exit).toBe(4);
    expect((await run(`sandbox user disable 103 --ready-file ${readyFile}`)).exit).toBe(11);
    expect(await json('sandbox user enable 103')).toEqual({ extensionId: '171857103', status: 'Enabled' });
    expect((await signIn('103')).exit).toBe(0);
    expect(await json('sandbox user delete 103')).toMatchObject({ status: 'Deleted' });
    expect((await run(`sandbox user delete 103 --ready-file ${readyFile}`)).exit).toBe(3);
    expect(sandbox.members('171857201').map(({ id }) => id)).not.toContain(171857103);
    const wrong = await run(`sandbox user delete 104 --password-stdin --ready-file ${readyFile}`);
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('only with set-password')]);
  });

  test('sandbox env names the certificate authority of --tls, so that ucctl trusts the sandbox', async () => {
    const { sandbox, env, run, signIn } = await stage({ tls: true });
    expect(env['UCCTL_CA_FILE']).toBe(sandbox.ready.ca);
    const { exit, stderr } = await signIn('102');
    expect([exit, stderr]).toEqual([0, expect.stringContaining('Signed in')]);
    expect((await run('presence show')).exit).toBe(0);
  });

  test('sandbox env names no media host if content has the same address', async () => {
    expect((await stage()).env).not.toHaveProperty('UCCTL_MEDIA_HOSTS');
  });
});

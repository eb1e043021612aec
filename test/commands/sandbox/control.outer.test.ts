import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { machineName } from '../../../src/platform/machine-name.ts';
import { recordText } from '../../../src/commands/sandbox/record-file.ts';
import { startSandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { runUcctl, type RunOptions } from '../../support/run-ucctl.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A sandbox on a socket with its record, and a function that runs ucctl. */
async function office(options: SandboxOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-control-'));
  const paths = { config: folder, state: join(folder, 'state'), cache: folder, data: folder };
  const sandbox = await startSandbox(options);
  await mkdir(join(paths.state, 'sandboxes'), { recursive: true });
  await writeFile(join(paths.state, 'sandboxes', `${process.pid}.json`), recordText(sandbox.ready));
  return {
    sandbox,
    folder,
    run: (argv: readonly string[], more: RunOptions = {}) =>
      runUcctl(['sandbox', ...argv, '-o', 'json'], { paths, ...more }),
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test('clock: advance lists the timers that fired; freeze, speed, show', async () => {
  await using here = await office();
  await here.run(['trigger', 'call', 'to=102']);
  const advanced = await here.run(['clock', 'advance', '5d']);
  expect(advanced.exit).toBe(0);
  const state = JSON.parse(advanced.stdout) as { time: string; fired: { kind: string }[] };
  expect(state.time).toBe('2026-01-10T09:00:00.000Z');
  expect(state.fired.map(({ kind }) => kind)).toContain('call.step');
  expect(JSON.parse((await here.run(['clock', 'speed', '60x'])).stdout)).toMatchObject({ mode: '60x' });
  expect(JSON.parse((await here.run(['clock', 'freeze'])).stdout)).toMatchObject({ mode: 'frozen' });
  expect((await here.run(['clock', 'advance', 'soon'])).exit).toBe(2);
  expect((await here.run(['clock', 'speed'])).exit).toBe(2);
});

test('triggers, phones, settings, faults, log, deliveries, traffic, snapshots, reset', async () => {
  await using here = await office();
  const { sandbox } = here;
  await here.run(['settings', 'callProgression=manual']);
  const rejected = await here.run(['settings', 'callProgression=zz']);
  expect(rejected.exit).not.toBe(0);
  expect(rejected.stderr).toContain('callProgression');
  expect(JSON.parse((await here.run(['posts', '--group', '3301'])).stdout)).toEqual([]);
  expect((await here.run(['trigger', 'sms', 'to=102', 'text=Are you there?'])).exit).toBe(0);
  expect(sandbox.messages().at(-1)).toMatchObject({ subject: 'Are you there?' });
  await here.run(['trigger', 'call', 'to=102']);
  expect((await here.run(['phone', 'answer', '102'])).exit).toBe(0);
  expect((await here.run(['phone', 'answer', '102'])).exit).toBe(11);
  expect((await here.run(['trigger', 'sms', 'to=nobody'])).exit).toBe(3);
  expect((await here.run(['trigger', 'sms', 'nobody'])).exit).toBe(2);
  const unknown = await here.run(['trigger', 'foo']);
  expect(unknown.exit).toBe(3);
  expect(JSON.parse(unknown.stderr)).toMatchObject({
    error: { message: expect.stringContaining('trigger "foo" not found; use sms, ') as string },
  });
  const without = await here.run(['trigger', 'call', 'from=102']);
  expect([without.exit, without.stderr]).toEqual([
    2,
    expect.stringContaining('to is missing; call accepts to, from'),
  ]);
  const nowhere = await here.run(['fault', 'add', 'status', '--operation', 'nosuch']);
  expect([nowhere.exit, nowhere.stderr]).toEqual([2, expect.stringContaining('not a valid operation ID')]);
  await here.run(['fault', 'add', 'status', '--operation', 'readPresence', '--percent', '50']);
  const faults = JSON.parse((await here.run(['fault'])).stdout) as object[];
  expect(faults).toMatchObject([
    { kind: 'status', operation: 'readPresence', status: 503, probability: 0.5 },
  ]);
  expect(JSON.parse((await here.run(['fault', 'clear'])).stdout)).toEqual([]);
  expect(JSON.parse((await here.run(['delivery'])).stdout)).toEqual([]);
  expect((await here.run(['delivery', 'replay', '1'])).exit).toBe(3);
  await here.run(['traffic', 'start', '--per-minute', '60', '--kinds', 'sms']);
  await here.run(['clock', 'advance', '1m']);
  expect(sandbox.messages().length).toBeGreaterThan(30);
  await here.run(['traffic', 'stop']);
  await here.run(['snapshot', 'save', 'busy']);
  await here.run(['reset']);
  expect(sandbox.messages()).toEqual([]);
  await here.run(['snapshot', 'load', 'busy']);
  expect(sandbox.messages().length).toBeGreaterThan(30);
  expect((await here.run(['snapshot', 'load', 'none'])).exit).toBe(3);
  await fetch(`${sandbox.url}/restapi/v1.0/subscription`);
  const log = JSON.parse((await here.run(['log', '--limit', '1'])).stdout) as object[];
  expect(log).toMatchObject([{ method: 'GET', status: 401, operation: 'listSubscriptions' }]);
});

test('passwords and tokens; the secret comes from standard input', async () => {
  await using here = await office();
  const changed = await here.run(['user', 'set-password', '102', '--password-stdin'], { stdin: 'New-102\n' });
  expect(JSON.parse(changed.stdout)).toMatchObject({ endedSessions: 0 });
  for (const stdin of ['', '\n', '\n\n', ' \r\n']) {
    const blank = await here.run(['user', 'set-password', '102', '--password-stdin'], { stdin });
    expect([blank.exit, blank.stderr]).toEqual([2, expect.stringContaining('the new password is empty')]);
  }
  expect((await here.run(['token', 'revoke', '--user', '102'])).exit).toBe(0);
  expect((await here.run(['token', 'revoke'])).exit).toBe(2);
  expect((await here.run(['token', 'revoke', '--token-stdin'], { stdin: 'none' })).exit).toBe(3);
});

test('over TLS the ready file names the certificate authority; after stop, commands exit with 12', async () => {
  await using here = await office({ tls: true });
  expect(JSON.parse((await here.run(['status'])).stdout)).toMatchObject({ url: here.sandbox.url });
  const { clientSecret, users } = here.sandbox.ready;
  const secrets = [clientSecret, ...users.map(({ password }) => password)];
  const masked = (await here.run(['status'])).stdout;
  expect(secrets.filter((secret) => masked.includes(secret))).toEqual([]);
  const shown = (await here.run(['status', '--show-secrets'])).stdout;
  expect(secrets.filter((secret) => !shown.includes(secret))).toEqual([]);
  expect((await here.run(['stop'])).exit).toBe(0);
  await here.sandbox.stopped;
  await here.sandbox.close();
  const gone = await here.run(['status']);
  expect([gone.exit, gone.stderr]).toEqual([12, expect.stringContaining('does not respond')]);
});

test('commands reach a sandbox that listens on all addresses', async () => {
  await using here = await office({ host: '0.0.0.0' });
  const { exit, stdout } = await here.run(['status']);
  expect([exit, stdout]).toEqual([0, expect.stringContaining('http://127.0.0.1:')]);
});

test('exec: writes the record by which commands inside find the sandbox', async () => {
  const script =
    "const f=require('node:fs'),d=process.env.UCCTL_STATE_DIR+'/sandboxes/';" +
    "const [n]=f.readdirSync(d);const r=JSON.parse(f.readFileSync(d+n,'utf8'));" +
    'process.exitCode=r.url===process.env.UCCTL_BASE_URL&&n===process.ppid+".json"?0:3';
  expect((await runUcctl(['sandbox', 'exec', '--', process.execPath, '-e', script], { env: {} })).exit).toBe(
    0,
  );
});

test('exec: an interruption while the sandbox starts prevents the command', async () => {
  const file = join(temporaryFolder(), 'ran');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(file)}, '')`;
  const result = await runUcctl(['sandbox', 'exec', '--', process.execPath, '-e', script], {
    env: {},
    signal: AbortSignal.abort(),
  });
  expect([result.exit, existsSync(file)]).toEqual([130, false]);
});

test('exec: the environment is set, the exit code is that of the command', async () => {
  const script = [
    'const { UCCTL_BASE_URL: url, UCCTL_CLIENT_ID: id, UCCTL_CLIENT_SECRET: secret, UCCTL_SANDBOX_USERNAME: username, UCCTL_SANDBOX_PASSWORD: password } = process.env;',
    "const body = new URLSearchParams({ grant_type: 'password', username, password });",
    "const authorization = 'Basic ' + Buffer.from(id + ':' + secret).toString('base64');",
    "fetch(url + '/restapi/oauth/token', { method: 'POST', headers: { authorization }, body }).then((reply) => process.exit(reply.status === 200 ? 7 : 1));",
  ].join('\n');
  const env = { PATH: process.env['PATH'] ?? '' };
  const result = await runUcctl(['sandbox', 'exec', '--', process.execPath, '-e', script], { env });
  expect(result).toMatchObject({ exit: 7, stderr: '' });
  const missing = await runUcctl(['sandbox', 'exec', '--', '/nonexistent/program'], { env });
  expect(missing.exit).toBe(12);
  expect((await runUcctl(['sandbox', 'exec', '--clock', 'soon', '--', 'true'], { env })).exit).toBe(2);
});

test('with several sandboxes, --base-url selects one; an unknown address in the environment is ignored', async () => {
  await using here = await office();
  await using second = await startSandbox();
  const state = join(here.folder, 'state', 'sandboxes');
  await writeFile(
    join(state, `${process.ppid}.json`),
    JSON.stringify({ ...second.ready, pid: process.ppid, machine: machineName() }),
  );
  const first = here.sandbox.clock.now();
  const at = ['--base-url', here.sandbox.url];
  expect((await here.run(['clock', 'advance', '2h', ...at])).exit).toBe(0);
  expect(here.sandbox.clock.now() - first).toBe(7_200_000);
  const env = { UCCTL_BASE_URL: second.url };
  expect((await here.run(['clock', 'advance', '1h'], { env })).exit).toBe(0);
  expect(second.clock.now() - first).toBe(3_600_000);
  const nowhere = 'http://127.0.0.1:9';
  expect((await here.run(['clock'], { env: { UCCTL_BASE_URL: nowhere } })).exit).toBe(0);
  const rejected = await here.run(['clock', '--base-url', nowhere]);
  expect(rejected.exit).not.toBe(0);
  expect(rejected.stderr).toContain(`no sandbox is running at ${nowhere}`);
});

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { openTunnel } from '../../../src/features/live/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';
import { live, sendText } from './listening.ts';
import { eventually } from '../../support/eventually.ts';

/** A tunnel of this machine: leads a port of its own to ours, tells it between other addresses, and notes how it ended. */
const program = `
const { connect, createServer } = require('node:net');
const { writeFileSync } = require('node:fs');
const [file, port] = [process.argv[2], Number(process.env.UCCTL_PORT)];
const server = createServer((socket) => {
  socket.pipe(connect(port, '127.0.0.1')).on('error', () => undefined).pipe(socket).on('error', () => undefined);
}).listen(0, '127.0.0.1', () => {
  console.error('help: https://tunnel.example/docs, leads to http://127.0.0.1:' + port);
  console.log('token [' + process.env.UCCTL_TOKEN + ']\\nopen at \\u001b[1mhttp://127.0.0.1:' + server.address().port + '\\u001b[0m now');
  writeFileSync(file, String(process.pid));
});
process.on('SIGTERM', () => { writeFileSync(file, 'ended'); process.exit(); });
`;

async function tunnel() {
  const folder = temporaryFolder();
  const [script, state] = [join(folder, 'tunnel.cjs'), join(folder, 'state')];
  await writeFile(script, program);
  const command = `--development --tunnel-command '${execPath} ${script} ${state}; true'`;
  return { command, state: () => readFile(state, 'utf8') };
}

/** The process id that a tunnel writes once it is open. */
async function pidIn(state: () => Promise<string>): Promise<number> {
  const text = await eventually(async () => {
    const written = await state();
    expect(written).toMatch(/^\d+$/);
    return written;
  });
  return Number(text);
}

it('webhook listen --tunnel-command receives through the tunnel, and terminates it on exit', async () => {
  const office = await openOffice();
  const { command, state } = await tunnel();
  const { ready, result } = await live(office, `webhook listen --count 1 ${command}`);
  expect(new URL(ready.address).port).not.toBe(new URL(ready.url ?? '').port);
  expect(office.sandbox.subscriptions()).toMatchObject([{ address: ready.address }]);
  await office.run(sendText);
  expect((await result).exit).toBe(0);
  expect(await state()).toBe('ended');
});

it('the listener reports a tunnel that exits, deletes the subscription and exits', async () => {
  const office = await openOffice();
  const { command, state } = await tunnel();
  const { result } = await live(office, `webhook listen ${command}`);
  process.kill(await pidIn(state), 'SIGKILL');
  const { exit, stderr } = await result;
  expect(exit).toBe(12);
  expect(stderr).toContain('the tunnel exited with code 0');
  // The error shows the output of the tunnel, whose environment has no token.
  expect(stderr).toContain('tunnel: token [undefined]');
  expect(office.sandbox.subscriptions()).toEqual([]);
});

it('a tunnel that cannot start is reported with its output', async () => {
  const office = await openOffice();
  const { exit, stderr } = await office.run([
    'webhook',
    'listen',
    '--tunnel-command',
    'echo no account >&2; exit 3',
  ]);
  expect(exit).toBe(12);
  expect(stderr).toContain('the tunnel exited with code 3 before it printed a public address');
  expect(stderr).toContain('tunnel: no account');
});

it('a tunnel is not started after an interruption', async () => {
  const started = join(temporaryFolder(), 'started');
  const opening = openTunnel({
    command: `touch ${started}; sleep 60`,
    port: 1,
    env: process.env,
    cwd: '/',
    development: false,
    signal: AbortSignal.abort(new Interrupted('SIGINT')),
    onEnd: () => undefined,
  });
  await expect(opening).rejects.toThrow(Interrupted);
  expect(existsSync(started)).toBe(false);
});

it('the address of a tunnel may end with a slash, or contain the default port', async () => {
  for (const printed of ['https://x.example/', 'https://X.example:443']) {
    const opened = await openTunnel({
      command: `echo see https://x.example/docs; echo open at ${printed}; sleep 60`,
      port: 1,
      env: process.env,
      cwd: '/',
      development: false,
      signal: new AbortController().signal,
      onEnd: () => undefined,
    });
    await opened.close();
    expect(opened.url.href).toBe('https://x.example/');
  }
});

it('a tunnel that left its process group does not prevent the listener from exiting', async () => {
  const office = await openOffice();
  const folder = temporaryFolder();
  const [script, state] = [join(folder, 'tunnel.cjs'), join(folder, 'state')];
  await writeFile(script, program);
  const apart = `const { spawn } = require('node:child_process'); spawn(process.execPath, process.argv.slice(1), { detached: true, stdio: 'inherit' }); setInterval(() => 0, 1e6);`;
  const starter = join(folder, 'starter.cjs');
  await writeFile(
    starter,
    apart.replace('process.argv.slice(1)', `[${JSON.stringify(script)}, process.argv[2]]`),
  );
  const command = `--development --tunnel-command '${execPath} ${starter} ${state}'`;
  const { result, interrupt } = await live(office, `webhook listen ${command}`);
  const apartPid = await pidIn(() => readFile(state, 'utf8'));
  onTestFinished(() => void process.kill(apartPid, 'SIGKILL'));
  interrupt();
  expect((await result).exit).toBe(0);
});

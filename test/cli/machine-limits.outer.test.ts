import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { noBash, withBash } from '../support/bash.ts';
import { eventually } from '../support/eventually.ts';
import { startProcess, startUcctl } from '../support/process.ts';
import { signInAs } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';

const program = resolve('bin/ucctl.cjs');
let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  token = await signInAs(sandbox, 'administrator');
});
afterAll(() => sandbox.close());

/** Runs a line of the shell with a home of its own, and waits for it without holding up the sandbox. */
async function shell(
  line: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ exit: number | null; stdout: string; stderr: string }> {
  const env = {
    HOME: temporaryFolder(),
    NODE: process.execPath,
    PROGRAM: program,
    PATH: process.env['PATH'] ?? '',
  };
  const lines = `ucctl() { "$NODE" "$PROGRAM" "$@"; }\n${line}`;
  const { exit, stdout, stderr } = await startProcess('bash', ['-c', lines], { env: { ...env, ...more } })
    .ended;
  return { exit, stdout, stderr };
}

const signedIn = (): Readonly<Record<string, string>> => ({
  UCCTL_BASE_URL: sandbox.url,
  UCCTL_TOKEN: token,
});

describe.skipIf(noBash !== undefined)(`on a machine with limits${withBash}`, () => {
  it('a current folder that was deleted stops only commands that need one', async () => {
    const gone = join(temporaryFolder(), 'gone');
    mkdirSync(gone);
    const line = `cd '${gone}' && rmdir '${gone}' && ucctl config list >/dev/null && ucctl queue assign --file agents.csv`;
    const { exit, stderr } = await shell(line, signedIn());
    expect([exit, stderr]).toEqual([2, expect.stringContaining('the current folder no longer exists')]);
    expect(stderr).not.toContain(' at ');
    expect(existsSync(gone)).toBe(false);
  });

  it("Node's option for the size of headers applies, also to the bundled HTTP client", async () => {
    const headers = { 'content-type': 'application/json', 'x-long': 'y'.repeat(20_000) };
    const server = createServer((_request, response) => void response.writeHead(200, headers).end('{}'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const env = { UCCTL_BASE_URL: `http://127.0.0.1:${port}`, UCCTL_TOKEN: token };
      const line = 'ucctl api GET /restapi/v1.0/account/~ --retry 0';
      expect(await shell(line, env)).toMatchObject({ exit: 7, stdout: '' });
      const raised = await shell(line, { ...env, NODE_OPTIONS: '--max-http-header-size=65536' });
      expect(raised).toMatchObject({ exit: 0, stdout: '{}\n', stderr: '' });
    } finally {
      server.close();
    }
  });

  it('the startup file of a shell keeps its content if completion cannot be added to it', async () => {
    const home = temporaryFolder();
    const startFile = join(home, '.bashrc');
    expect((await shell('ucctl completion install bash', { HOME: home })).exit).toBe(0);
    const content = '# a line of the user\n'.repeat(100_000);
    writeFileSync(startFile, content);
    const { exit, stderr } = await shell('ulimit -f 1024; ucctl completion install bash', { HOME: home });
    expect([exit, stderr]).toEqual([
      12,
      expect.stringContaining(`cannot write ${startFile}: the file size limit is reached`),
    ]);
    expect(readFileSync(startFile, 'utf8') === content).toBe(true);
    const installed = `${content}# ucctl completion\n. x\n`;
    writeFileSync(startFile, installed);
    const removal = await shell('ulimit -f 1024; ucctl completion uninstall bash', { HOME: home });
    expect([removal.exit, removal.stderr]).toEqual([12, expect.stringContaining('cannot write')]);
    expect(readFileSync(startFile, 'utf8') === installed).toBe(true);
  });

  it('a limit on the size of files is named, and the exit code is right where no error can be written', async () => {
    const folder = temporaryFolder();
    const limited = await shell(`ulimit -f 0; ucctl config list > ${folder}/out`);
    const error = [
      'error: ucctl could not write the result to stdout: the file size limit is reached (ulimit -f)',
      '  try:     check the disk and the file that stdout goes to, and run the command again',
      '',
    ].join('\n');
    expect([limited.exit, limited.stderr]).toEqual([12, error]);
    expect((await shell(`ulimit -f 0; ucctl config list --nonsense 2> ${folder}/error`)).exit).toBe(2);
    expect(readFileSync(`${folder}/error`, 'utf8')).toBe('');
    const help = await shell(`ulimit -f 0; ucctl --help > ${folder}/out`);
    expect([help.exit, help.stderr]).toEqual([12, error]);
  });

  it.each(['a new file', 'an existing file'])(
    'a limit is named when the config is written to %s',
    async (which) => {
      const before = which === 'a new file' ? '' : 'ucctl config set timeout 20 && ';
      const { exit, stderr } = await shell(`${before}(ulimit -f 0; ucctl config set timeout 60)`);
      expect([exit, stderr]).toEqual([
        12,
        expect.stringContaining('the file size limit is reached (ulimit -f)'),
      ]);
      expect(stderr).toContain('raise the limit');
      expect(stderr).not.toContain('free space');
    },
  );

  it.each([0, 20])('a limit of %i KiB is named for a database, too, and nothing is sent', async (limit) => {
    const sms = `ucctl sms send --to +16505550199 'limit ${limit}' --yes`;
    const { exit, stderr } = await shell(`ulimit -f ${limit}; ${sms}`, signedIn());
    expect([exit, stderr]).toEqual([
      12,
      expect.stringContaining('outcomes.db: the file size limit is reached (ulimit -f)'),
    ]);
    expect(stderr).toContain('raise the limit');
    expect(stderr).not.toContain('disk is full');
    const { stdout } = await shell('ucctl message list -o json', signedIn());
    expect(stdout).not.toContain(`limit ${limit}`);
  });

  it('a limit on open files is named, whichever file exceeds it', async () => {
    const smallest = 'n=16; until (ulimit -n $n; ucctl --version) >/dev/null 2>&1; do n=$((n + 1)); done';
    const runs =
      'for more in 0 1 2 3 4; do (ulimit -n $((n + more)); ucctl history list; echo "exit $?"); rm -rf "$HOME"/.local; done';
    const { stdout, stderr } = await shell(`${smallest}; ${runs}`, signedIn());
    expect(stdout.match(/exit (?:0|12)\n/g)).toHaveLength(5);
    expect(stderr).toContain('this process has too many open files (ulimit -n)\n  try:     raise the limit');
    expect(stderr).not.toMatch(/ at |damaged|cannot open or create/);
  });

  const endsEarlier =
    Number(process.versions.node.split('.')[0]) >= 26
      ? ' (with so little memory, Node 26 ends before ucctl connects)'
      : undefined;
  it.skipIf(endsEarlier)(
    `a lack of memory for a connection is a failure of this machine, not of the network${endsEarlier ?? ''}`,
    async () => {
      const { exit, stderr } = await shell('ulimit -v 1500000; ucctl queue list', signedIn());
      expect([exit, stderr]).toEqual([12, expect.stringContaining('not enough memory for a connection')]);
      expect(stderr).not.toContain('network');
    },
  );

  it.each([
    'download --voicemail --dir /proc/x',
    'calllog stats --report /proc/x/report.html --parents',
    'events import /dev/null',
  ])('a folder in which nothing can be created ends %s at once', async (command) => {
    const { exit, stderr } = await shell(
      `ucctl sync >/dev/null 2>&1; UCCTL_STATE_DIR=/proc/y ucctl ${command}`,
      signedIn(),
    );
    expect([exit, stderr]).toEqual([12, expect.stringContaining('/proc/')]);
  });

  it('--proxy reports that it is not used for this machine', async () => {
    const { exit, stderr } = await shell('ucctl queue list --proxy http://127.0.0.1:1', signedIn());
    expect([exit, stderr]).toEqual([
      0,
      `warning: --proxy is ignored: ${sandbox.url} is on this machine, which ucctl always connects to directly\n`,
    ]);
  });
});

describe('programs that ucctl starts', () => {
  it('get no secrets, for example the browser', async () => {
    const folder = temporaryFolder();
    const browser = join(folder, 'browser');
    writeFileSync(browser, `#!/bin/sh\nenv > '${folder}/env.new'\nmv '${folder}/env.new' '${folder}/env'\n`);
    chmodSync(browser, 0o755);
    const env = {
      HOME: folder,
      BROWSER: browser,
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_CLIENT_ID: sandbox.ready.clientId,
      UCCTL_CLIENT_SECRET: 'canary-client-secret',
      UCCTL_PASSWORD: 'canary-password',
      UCCTL_STORE: 'file',
      UCCTL_OUTPUT: 'json',
    };
    const { child, ended } = startUcctl(['login', '--flow', 'code'], { env });
    await eventually(() => expect(existsSync(join(folder, 'env'))).toBe(true));
    child.kill('SIGTERM');
    await ended;
    const seen = readFileSync(join(folder, 'env'), 'utf8');
    expect(seen).toContain('UCCTL_BASE_URL=');
    expect(seen).not.toContain('canary-');
  });
});

describe('SIGUSR1', () => {
  it.each([['--version'], ['queue', 'list'], ['__complete', 'queue', '']])(
    'is handled before ucctl loads its first module: %s',
    async (...words) => {
      const folder = temporaryFolder();
      const hook = join(folder, 'hook.cjs');
      writeFileSync(
        hook,
        `const { Module } = require('node:module');
        const { require: original } = Module.prototype;
        Module.prototype.require = function (id) {
          if (!globalThis.isSeen && this.filename.endsWith('ucctl.cjs')) {
            globalThis.isSeen = true;
            process.stderr.write('listeners: ' + process.listenerCount('SIGUSR1') + '\\n');
          }
          return original.call(this, id);
        };`,
      );
      const { ended } = startUcctl(words, { env: { HOME: folder, NODE_OPTIONS: `--require ${hook}` } });
      expect((await ended).stderr).toContain('listeners: 1\n');
    },
  );

  it('opens no inspector', async () => {
    const env = { HOME: temporaryFolder(), ...signedIn() };
    const { child, ended } = startUcctl(['subscribe', 'tail', '--events', 'presence'], { env });
    await new Promise<void>((done) => child.stderr.once('data', () => done()));
    child.kill('SIGUSR1');
    child.kill('SIGTERM');
    const { stderr } = await ended;
    expect(stderr).not.toContain('Debugger listening');
  });
});

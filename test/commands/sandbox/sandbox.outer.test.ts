import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentOf } from '../../../src/commands/sandbox/environment.ts';
import { exportLines, sandboxEnvCommand } from '../../../src/commands/sandbox/env.ts';
import { machineName } from '../../../src/platform/machine-name.ts';
import { startSandboxCommand } from '../../../src/commands/sandbox/start.ts';
import type { Context } from '../../../src/runtime/context.ts';
import type { Output } from '../../../src/runtime/output.ts';
import { startSandbox, type ReadyFile } from '../../../src/sandbox/index.ts';
import { hintText } from '../../../src/errors/hint.ts';

/** A context that stores the output. It has only the members that these commands use. */
async function commandContext(format: Output['format'], isTerminal = false) {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-command-'));
  const ending = new AbortController();
  const records: object[] = [];
  const shown: string[] = [];
  const warnings: string[] = [];
  const { promise: announced, resolve: announce } = deferred();
  const out: Partial<Output> = {
    format,
    isTerminal,
    record(row) {
      records.push(row);
      announce();
      return Promise.resolve();
    },
    async list(rows, view) {
      for await (const row of rows) shown.push(String(view.columns[0]?.value(row)));
    },
    warn(text) {
      warnings.push(hintText(text));
    },
    show(text) {
      shown.push(hintText(text));
      announce();
    },
  };
  const paths = { config: folder, state: join(folder, 'state'), cache: folder, data: folder };
  const settings = { dialect: { value: 'spec' } };
  const ctx = { out, paths, settings, env: {}, cwd: folder, signal: ending.signal } as unknown as Context;
  const dispose = () => rm(folder, { recursive: true, force: true });
  return { ctx, folder, paths, ending, records, shown, warnings, announced, [Symbol.asyncDispose]: dispose };
}
function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
/** Returns the server of this process that listens on an address. */
async function serverOf(url: string): Promise<Server> {
  const servers: Server[] = [];
  const onSocket = (message: unknown): void => {
    const { server, localPort } = (message as { readonly socket: { server: Server; localPort: number } })
      .socket;
    if (String(localPort) === new URL(url).port) servers.push(server);
  };
  subscribe('net.server.socket', onSocket);
  await fetch(url);
  unsubscribe('net.server.socket', onSocket);
  const [server] = servers;
  if (!server) throw new Error('no connection was opened');
  return server;
}
const defaults = {
  port: 0,
  db: ':memory:',
  seed: 42,
  redirectUri: [],
  clock: 'real',
  rateLimits: 'off',
  host: '127.0.0.1',
} as const;

describe('sandbox start', () => {
  test('is ready when it reports so, in file, record and state; leaves no files', async () => {
    await using run = await commandContext('json');
    const options = { ...defaults, readyFile: 'ready.json', redirectUri: ['http://127.0.0.1:9999/back'] };
    const running = startSandboxCommand(run.ctx, options);
    await run.announced;
    const ready = JSON.parse(await readFile(join(run.folder, 'ready.json'), 'utf8')) as ReadyFile;
    expect(run.records.map((shown) => ({ ...(shown as ReadyFile), machine: machineName() }))).toEqual([
      ready,
    ]);
    expect(ready.redirectUris).toContain('http://127.0.0.1:9999/back');
    expect(ready.redirectUris).toContain('http://127.0.0.1:8734/callback');
    expect(ready.pid).toBe(process.pid);
    expect(ready.users.map(({ role }) => role)).toEqual(
      expect.arrayContaining(['administrator', 'operator', 'user']),
    );
    const reply = await fetch(`${ready.url}/restapi/v1.0/subscription`);
    expect(reply.status).toBe(401);
    run.ending.abort();
    await running;
    expect(readdirSync(join(run.paths.state, 'sandboxes'))).toEqual([]);
    expect(existsSync(join(run.folder, 'ready.json'))).toBe(false);
    await expect(fetch(ready.url)).rejects.toThrow('fetch failed');
  });

  test('shows the address and the users who can sign in on a terminal', async () => {
    await using run = await commandContext('table', true);
    const running = startSandboxCommand(run.ctx, defaults);
    await run.announced;
    expect(run.shown[0]).toMatch(
      /^Sandbox ready at http:\/\/127\.0\.0\.1:\d+ \(web page and API; press Ctrl-C to stop\)\n/,
    );
    expect(run.shown[0]).toContain('avery.quinn@example.com');
    run.ending.abort();
    await running;
  });

  test('--open shows the page in the browser; a browser that does not start is a warning', async () => {
    for (const works of [true, false]) {
      await using run = await commandContext('json');
      const opened: string[] = [];
      const openUrl = (url: string): Promise<boolean> => {
        opened.push(url);
        run.ending.abort();
        return Promise.resolve(works);
      };
      await startSandboxCommand({ ...run.ctx, openUrl }, { ...defaults, open: true });
      const { url } = run.records[0] as ReadyFile;
      expect(opened).toEqual([`${url}/`]);
      expect(run.warnings).toEqual(works ? [] : [`cannot start a browser; open this address: ${url}/`]);
    }
  });

  test('warns of connections that it cannot accept', async () => {
    await using run = await commandContext('json');
    const running = startSandboxCommand(run.ctx, defaults);
    await run.announced;
    const { url } = run.records[0] as ReadyFile;
    const server = await serverOf(url);
    server.emit('error', new Error('accept ENOBUFS'));
    expect(run.warnings).toEqual([
      'cannot accept all connections (accept ENOBUFS); the server continues to run',
    ]);
    run.ending.abort();
    await running;
  });

  test('a taken port, a file that is not a database, a redirect that is not a URI', async () => {
    await using run = await commandContext('json');
    const running = startSandboxCommand(run.ctx, defaults);
    await run.announced;
    const port = Number(new URL((run.records[0] as ReadyFile).url).port);
    await using other = await commandContext('json');
    const start = (change: object) => startSandboxCommand(other.ctx, { ...defaults, ...change });
    await expect(start({ port })).rejects.toMatchObject({ code: 'cannot_listen', exit: 12 });
    await expect(start({ mediaPort: port })).rejects.toMatchObject({
      code: 'cannot_listen',
      message: `port ${port} of 127.0.0.1 is already in use`,
      hint: 'to use any free port, specify --media-port 0',
    });
    await expect(start({ host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'cannot_listen',
      message: '192.0.2.1 is not an address of this machine',
      hint: 'specify an address of this machine with --host',
    });
    await expect(start({ db: 'missing/new.db' })).rejects.toMatchObject({
      code: 'sandbox_not_started',
      exit: 12,
      message: expect.stringContaining('missing/new.db: ucctl cannot open or create the file'),
      hint: 'use a file in a folder that you can read and write',
    });
    await writeFile(
      join(other.folder, 'text.db'),
      'this is text and not a database, as anyone can see'.repeat(20),
    );
    await expect(start({ db: 'text.db' })).rejects.toMatchObject({
      code: 'sandbox_not_started',
      exit: 12,
      message: expect.stringContaining(`text.db: the file is damaged`),
      hint: expect.stringContaining('mv '),
    });
    await expect(start({ redirectUri: ['nowhere'] })).rejects.toMatchObject({ code: 'usage', exit: 2 });
    run.ending.abort();
    await running;
  });
});

describe('sandbox start --snapshot', () => {
  test('starts from the saved state of another sandbox', async () => {
    await using run = await commandContext('json');
    const original = await startSandbox({ listen: false });
    original.setPassword('171857102', 'Saved-password');
    original.save(join(run.folder, 'saved.db'));
    await original.close();
    const running = startSandboxCommand(run.ctx, { ...defaults, snapshot: 'saved.db' });
    await run.announced;
    const { users } = run.records[0] as ReadyFile;
    expect(users.find(({ extension }) => extension === '102')?.password).toBe('Saved-password');
    expect(run.warnings).toEqual([]);
    run.ending.abort();
    await running;
  });

  test('warns that a database with content does not start from the saved state', async () => {
    await using run = await commandContext('json');
    const original = await startSandbox({ listen: false, database: join(run.folder, 'office.db') });
    original.save(join(run.folder, 'saved.db'));
    await original.close();
    const running = startSandboxCommand(run.ctx, { ...defaults, db: 'office.db', snapshot: 'saved.db' });
    await run.announced;
    expect(run.warnings).toEqual([
      expect.stringContaining('--snapshot has no effect, because the database office.db already has content'),
    ]);
    run.ending.abort();
    await running;
  });

  test('a missing file exits with 12, an additional fixture with 2', async () => {
    await using run = await commandContext('json');
    const start = (change: object) =>
      startSandboxCommand(run.ctx, { ...defaults, snapshot: 'saved.db', ...change });
    await expect(start({})).rejects.toMatchObject({
      code: 'sandbox_not_started',
      exit: 12,
      message: `cannot start the sandbox: snapshot ${join(run.folder, 'saved.db')} not found`,
    });
    await expect(start({ fixture: 'call-center' })).rejects.toMatchObject({ code: 'usage', exit: 2 });
  });
});

describe('sandbox env', () => {
  test('names the dialect of a sandbox with the current interface', () => {
    const ready = {
      url: 'http://127.0.0.1:1',
      clientId: 'c',
      clientSecret: 's',
      redirectUris: ['a'],
      users: [],
    };
    const variables = (dialect: ReadyFile['dialect']) =>
      environmentOf({ ...ready, dialect } as unknown as ReadyFile);
    expect(variables('spec')).not.toHaveProperty('UCCTL_DIALECT');
    expect(variables('current')).toMatchObject({
      UCCTL_DIALECT: 'current',
    });
  });

  test('prints lines that a shell reads back exactly', async () => {
    await using run = await commandContext('tsv');
    const ready = {
      url: 'http://127.0.0.1:1',
      clientId: "it's",
      clientSecret: '$(x) `y`\\',
      redirectUris: ['a', 'b'],
      users: [],
    };
    await writeFile(join(run.folder, 'ready.json'), JSON.stringify(ready));
    await sandboxEnvCommand(run.ctx, { readyFile: 'ready.json' });
    const script = `${run.shown.join('\n')}\nprintf '%s\\n' "$UCCTL_CLIENT_ID" "$UCCTL_CLIENT_SECRET" "$UCCTL_REDIRECT_URIS"`;
    const text = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: {} });
    expect(text).toBe("it's\n$(x) `y`\\\na,b\n");
    expect(exportLines({ A: 'b' })).toEqual(["export A='b'"]);
  });

  test('one object in the structured formats', async () => {
    await using run = await commandContext('json');
    const ready = {
      url: 'http://127.0.0.1:1',
      clientId: 'c',
      clientSecret: 's',
      redirectUris: ['a'],
      users: [],
    };
    await writeFile(join(run.folder, 'ready.json'), JSON.stringify(ready));
    await sandboxEnvCommand(run.ctx, { readyFile: 'ready.json' });
    expect(run.records).toEqual([
      {
        UCCTL_BASE_URL: 'http://127.0.0.1:1',
        UCCTL_CLIENT_ID: 'c',
        UCCTL_CLIENT_SECRET: 's',
        UCCTL_REDIRECT_URIS: 'a',
      },
    ]);
  });

  test('without a sandbox, and with an invalid file', async () => {
    await using run = await commandContext('tsv');
    await expect(sandboxEnvCommand(run.ctx, {})).rejects.toMatchObject({
      code: 'sandbox_not_running',
      exit: 12,
    });
    await writeFile(join(run.folder, 'other.json'), '{"url":1}');
    const broken = sandboxEnvCommand(run.ctx, { readyFile: 'other.json' });
    await expect(broken).rejects.toMatchObject({ code: 'ready_file_broken', exit: 12 });
  });
});

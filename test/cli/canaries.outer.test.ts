import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineCommand } from '../../src/runtime/define.ts';
import type { Context } from '../../src/runtime/context.ts';
import { fakeReply } from '../support/fake-service.ts';
import { startProcess } from '../support/process.ts';
import { runUcctl, type RunOptions } from '../support/run-ucctl.ts';

const token = 'canary-token-of-this-test';

/** Runs a command that does what `leak` does, with a token in its environment. */
function runLeak(leak: (ctx: Context) => Promise<unknown>, words = '', more: RunOptions = {}) {
  const command = defineCommand<{ readonly words?: string }>({
    path: ['leak'],
    summary: 'x',
    options: { words: { type: 'string', positional: true, summary: 'x' } },
    examples: [],
    load: () =>
      Promise.resolve(async (ctx: Context) => {
        await leak(ctx);
      }),
  });
  const noun = { name: 'leak', summary: 'x', section: 'Account and setup', commands: [command] } as const;
  return runUcctl(`leak ${words}`, { nouns: [noun], env: { UCCTL_TOKEN: token }, ...more });
}

const nothing = (): Promise<void> => Promise.resolve();
const answer = { access_token: 'fresh-access-token', refresh_token: 'fresh-refresh-token' };
const http = () =>
  Promise.resolve(fakeReply({ status: 200, body: answer, headers: { 'content-type': 'application/json' } }));

/** One sign-in, as its reply comes. */
async function signIn(ctx: Context): Promise<string> {
  const send = await ctx.http();
  const url = new URL('https://service.example/restapi/oauth/token');
  const body = 'grant_type=password&password=typed-password';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await send({ method: 'POST', url, headers, body, timeoutMilliseconds: 1 })).text();
}

describe('every run of the suite is searched for its secrets', () => {
  it.each<[string, (ctx: Context) => Promise<unknown>, string?]>([
    ['UCCTL_TOKEN in stdout', (ctx) => ctx.out.text(token)],
    ['UCCTL_TOKEN in stderr', (ctx) => Promise.resolve(ctx.out.warn(`x ${token}`))],
    ['UCCTL_TOKEN in stderr', () => Promise.reject(new Error(token))],
    ['UCCTL_TOKEN in argv', nothing, token],
    [
      'UCCTL_TOKEN in argv of a child',
      () => once(spawn(process.execPath, ['-e', '0', token], { stdio: 'ignore' }), 'close'),
    ],
    ['access_token in stdout', async (ctx) => ctx.out.text(await signIn(ctx))],
    ['password in stderr', async (ctx) => signIn(ctx).then(() => ctx.out.note('typed-password'))],
  ])('%s fails the test', async (where, leak, words) => {
    await expect(runLeak(leak, words, { sandbox: { http } })).rejects.toThrow(where);
  });

  it('also searches what it writes next to the token store', async () => {
    const write = async (ctx: Context, ...folder: readonly string[]): Promise<void> => {
      mkdirSync(join(ctx.paths.config, ...folder), { recursive: true });
      writeFileSync(join(ctx.paths.config, ...folder, 'x.json'), token);
    };
    await expect(runLeak((ctx) => write(ctx))).rejects.toThrow(/UCCTL_TOKEN in .*x\.json/);
    expect((await runLeak((ctx) => write(ctx, 'sessions'))).exit).toBe(0);
  });

  it('and searches its trace, which shows none', async () => {
    expect((await runLeak(signIn, '', { sandbox: { http } })).exit).toBe(0);
  });
});

describe('a reply that makes the trace show a secret fails the test', () => {
  const many = Array.from({ length: 2000 }, (_, id) => ({ id: String(id), type: 'Voice' }));
  const escaped = token
    .split('')
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  const percent = token
    .split('')
    .map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
    .join('');

  it.each([
    ['as it is', JSON.stringify({ id: token })],
    ['as it is, in a large reply', JSON.stringify({ records: [...many, { id: token }] })],
    [
      'escaped, in a large reply',
      JSON.stringify({ records: [...many, { id: 'ESCAPED' }] }).replace('ESCAPED', escaped),
    ],
    [
      'in an address, in a large reply',
      JSON.stringify({ records: [...many, { uri: `https://x.example/restapi?status=${percent}` }] }),
    ],
  ])('%s', async (_, text) => {
    const headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' };
    const reply = { ...fakeReply({ status: 200, body: {}, headers }), text: () => Promise.resolve(text) };
    const read = async (ctx: Context) => {
      const url = new URL('https://service.example/restapi/v1.0/account/~');
      const send = await ctx.http();
      return (await send({ method: 'GET', url, headers: {}, timeoutMilliseconds: 1 })).text();
    };
    const run = runLeak(read, '', { sandbox: { http: () => Promise.resolve(reply) } });
    await expect(run).rejects.toThrow('UCCTL_TOKEN in a trace');
  });

  it('and the program still reads the whole reply', async () => {
    const body = JSON.stringify({ records: many });
    const reply = { ...fakeReply({ status: 200, body: {}, headers: {} }), text: () => Promise.resolve(body) };
    let read = '';
    await runLeak(
      async (ctx) => {
        const url = new URL('https://service.example/restapi/v1.0/account/~');
        const send = await ctx.http();
        read = await (await send({ method: 'GET', url, headers: {}, timeoutMilliseconds: 1 })).text();
      },
      '',
      { sandbox: { http: () => Promise.resolve(reply) } },
    );
    expect(read).toBe(body);
  });
});

describe('every process that a test or a proof starts is searched for its secrets', () => {
  const script = (code: string, more: readonly string[] = []) =>
    startProcess(process.execPath, ['-e', code, ...more], { env: { UCCTL_TOKEN: token } }).ended;

  it.each([
    ['UCCTL_TOKEN in stdout', 'console.log(process.env.UCCTL_TOKEN)', []],
    ['UCCTL_TOKEN in stderr', 'console.error(`x ${process.env.UCCTL_TOKEN}`)', []],
    ['UCCTL_TOKEN in argv', '0', [token]],
  ])('%s fails the test', async (where, code, more) => {
    await expect(script(code, more)).rejects.toThrow(where);
  });

  it('also for secrets from standard input and from elsewhere', async () => {
    const echo = ['-e', 'process.stdin.pipe(process.stdout)', '--', '--password-stdin'];
    const typed = startProcess(process.execPath, echo, { input: 'typed-password\n' });
    await expect(typed.ended).rejects.toThrow('a line of standard input in stdout');
    const sent = startProcess(process.execPath, ['-p', '"sent-code-1"'], {
      secrets: { code: 'sent-code-1' },
    });
    await expect(sent.ended).rejects.toThrow('code in stdout');
  });

  it('and the exit code of a process without secrets is unchanged', async () => {
    const { exit, stdout, stderr } = await script('console.log("x"); process.exitCode = 3');
    expect([exit, stdout, stderr]).toEqual([3, 'x\n', '']);
  });

  it('because no process is started in another way', () => {
    const folders = ['test', 'scripts/proofs'];
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    );
    const starting = files.filter(
      (file) =>
        file.endsWith('.ts') &&
        /import {[^}]*\b(spawn|fork|exec)\b[^}]*} from 'node:child_process'/.test(readFileSync(file, 'utf8')),
    );
    expect(starting.sort()).toEqual(
      [
        // Looks through more than one process, with traces and files.
        'scripts/proofs/canaries.ts',
        // Foreign programs, which get no secrets.
        'scripts/proofs/export.ts',
        // Starts hundreds by a shell, and looks through them.
        'scripts/proofs/processes.ts',
        // Their output goes elsewhere, or their environment has no secrets.
        'scripts/proofs/listener-process.ts',
        'scripts/proofs/sandbox-process.ts',
        'scripts/proofs/socket-kill.ts',
        // The start that these tests are about.
        'test/cli/canaries.outer.test.ts',
        'test/support/ceph.ts',
        'test/support/server-process.ts',
        'test/support/process.ts',
        'test/support/secret-service.ts',
      ].sort(),
    );
  });
});

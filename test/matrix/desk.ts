import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordText } from '../../src/commands/sandbox/record-file.ts';
import type { HttpSend } from '../../src/client/index.ts';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import type { Paths } from '../../src/runtime/context.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import type { Postgres } from '../../src/store/index.ts';
import { fromSnapshot } from '../support/fixture-snapshot.ts';
import { testStore, type TestStore } from '../support/postgres.ts';
import { runUcctl, type RunOptions, type RunResult, splitWords } from '../support/run-ucctl.ts';
import { pathsIn } from '../support/paths.ts';
import { sandboxHttp, signInAs } from '../support/sandbox.ts';
import { lastingFolder } from './lasting-folder.ts';

export interface DeskOptions {
  readonly who?: string;
  readonly sandbox?: Partial<SandboxOptions>;
  /** Files in the working directory, by name. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Runs once, before the first command. */
  readonly prepare?: (desk: Desk) => Promise<unknown>;
}

/** Fills a store. */
export type Prepare = (db: Postgres) => Promise<unknown>;

/** One signed-in user with a service, a machine and a clock, shared by all runs of a noun. */
export interface Desk extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly paths: Paths;
  readonly cwd: string;
  run(argv: string | readonly string[], options?: RunOptions): Promise<RunResult>;
  /** The JSON output of a command; fails when the command fails. */
  json(argv: string | readonly string[], options?: RunOptions): Promise<never>;
  /** Requests since the last call that change something. */
  writes(): readonly string[];
  /** The store of all runs of this desk that change nothing in it, filled by `prepare`. */
  store(prepare?: Prepare): Promise<TestStore>;
  /** From now on, every list that matches has no records; undefined ends this. */
  blank(path: RegExp | undefined): void;
}

/** Opens a desk; the caller disposes of it. */
export async function openDesk(options: DeskOptions = {}): Promise<Desk> {
  const sandbox = await startSandbox(
    await fromSnapshot({ listen: false, validateReplies: false, ...options.sandbox }),
  );
  const network = createUndiciHttp();
  const { folder: cwd, remove } = lastingFolder();
  for (const [name, content] of Object.entries(options.files ?? {})) writeFileSync(join(cwd, name), content);
  const paths = pathsIn(join(cwd, '.home'));
  if (sandbox.ready.url !== '' && options.sandbox?.listen) leaveWord(paths, sandbox);
  let blanked: RegExp | undefined;
  let written: string[] = [];
  const inside = sandboxHttp(sandbox);
  const http: HttpSend = async (request) => {
    if (request.url.origin !== new URL(sandbox.url).origin) return network.send(request);
    if (request.method !== 'GET') written.push(`${request.method} ${request.url.pathname}`);
    const reply = await inside(request);
    if (request.method !== 'GET' || !blanked?.test(request.url.pathname)) return reply;
    return { ...reply, text: async () => emptied(await reply.text()) };
  };
  let token = '';
  let signedInAt = Number.NEGATIVE_INFINITY;
  const run: Desk['run'] = async (argv, more = {}) => {
    if (sandbox.clock.now() - signedInAt > 30 * 60_000) {
      token = await signInAs(sandbox, options.who ?? 'administrator');
      signedInAt = sandbox.clock.now();
    }
    const env = {
      HOME: cwd,
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_TOKEN: token,
      UCCTL_CLIENT_ID: sandbox.ready.clientId,
      UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
      UCCTL_STORE: 'file',
      ...(options.sandbox?.dialect && { UCCTL_DIALECT: options.sandbox.dialect }),
    };
    const words = typeof argv === 'string' ? splitWords(argv) : argv;
    // A restarted service has no sessions.
    if (words[0] === 'sandbox' && words.includes('reset')) signedInAt = Number.NEGATIVE_INFINITY;
    return runUcctl(words, {
      paths,
      cwd,
      now: () => sandbox.clock.now(),
      sleep: async (milliseconds, signal) => {
        signal.throwIfAborted();
        await sandbox.clock.advance(milliseconds);
      },
      ...more,
      sandbox: { http, env: { ...env, ...more.env } },
    });
  };
  const ended: (() => Promise<void>)[] = [];
  const stores = new Map<Prepare | undefined, Promise<TestStore>>();
  const desk: Desk = {
    sandbox,
    paths,
    cwd,
    run,
    async json(argv, more) {
      const words = typeof argv === 'string' ? splitWords(argv) : argv;
      const { exit, stdout, stderr } = await run([...words, '-o', 'json'], more);
      if (exit !== 0) throw new Error(`${words.join(' ')} ended with ${exit}: ${stderr}`);
      return JSON.parse(stdout) as never;
    },
    writes() {
      const all = written;
      written = [];
      return all;
    },
    store(prepare) {
      const known = stores.get(prepare) ?? filledStore(prepare, (work) => ended.push(work));
      stores.set(prepare, known);
      return known;
    },
    blank(path) {
      blanked = path;
    },
    async [Symbol.asyncDispose]() {
      for (const end of ended) await end();
      await network.close();
      await sandbox.close();
      remove();
    },
  };
  await options.prepare?.(desk);
  return desk;
}

/** An initialized store that exists until its end is called. */
async function filledStore(
  prepare: Prepare | undefined,
  atEnd: (end: () => Promise<void>) => void,
): Promise<TestStore> {
  const store = await testStore(undefined, atEnd);
  await prepare?.(store.db);
  return store;
}

function emptied(text: string): string {
  const value = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify({ ...value, ...('records' in value && { records: [] }) });
}

/** As `sandbox start` does, for the commands that look for a running sandbox. */
function leaveWord(paths: Paths, sandbox: Sandbox): void {
  mkdirSync(join(paths.state, 'sandboxes'), { recursive: true });
  writeFileSync(join(paths.state, 'sandboxes', `${process.pid}.json`), recordText(sandbox.ready));
}

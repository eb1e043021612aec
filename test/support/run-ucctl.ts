import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { runApp } from '../../src/app.ts';
import type { HttpSend } from '../../src/client/index.ts';
import type { Paths } from '../../src/runtime/context.ts';
import type { NounSpec, RegisteredNoun } from '../../src/runtime/define.ts';
import type { System } from '../../src/runtime/system.ts';
import type { Sink } from '../../src/runtime/streams.ts';
import { SentSecrets } from '../../src/platform/sent-secrets.ts';
import { Canaries } from './canaries.ts';
import { pathsIn } from './paths.ts';
import { ownProcess } from '../../src/platform/own-process.ts';

export interface RunOptions {
  /** The sandbox in process: its `http` replaces the network, its `env` is added. */
  readonly sandbox?:
    | { readonly http: HttpSend; readonly env?: Readonly<Record<string, string>> | undefined }
    | undefined;
  /** Variables of the run; undefined removes a variable of the sandbox. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly stdin?: string | Uint8Array | undefined;
  /** Lines of stdin that arrive during the run, instead of `stdin`. */
  readonly stdinLines?: AsyncIterable<string> | undefined;
  /** Stdout, stderr and stdin are a terminal with this many columns (`true`: 80). */
  readonly terminal?: boolean | number | undefined;
  /** Time of the clock in milliseconds since 1970, or a clock. */
  readonly now?: number | (() => number) | undefined;
  /** The clock for durations; by default it follows a clock in `now`. */
  readonly elapsed?: (() => number) | undefined;
  /** Directories to use and to retain; by default temporary ones, removed after the test. */
  readonly paths?: Paths | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Replaces the commands of the tool. */
  readonly nouns?: readonly NounSpec[] | undefined;
  /** Replaces waiting. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
  readonly cwd?: string | undefined;
  /** The home folder; by default a temporary folder for this run. */
  readonly homeDirectory?: string | undefined;
  /** Answers prompts: its input is typed, and prompts are drawn on its screen. By default nobody answers. */
  readonly keyboard?: { readonly input: PassThrough; readonly screen: PassThrough } | undefined;
  /** Height of the terminal in lines; unknown by default. */
  readonly rows?: number | undefined;
  /** The pager; none by default. */
  readonly page?: ((text: string) => Promise<boolean>) | undefined;
  readonly openUrl?: ((url: string) => Promise<boolean>) | undefined;
  readonly openPageFile?: ((file: string) => Promise<boolean>) | undefined;
  /** Receives every piece of stdout as it is written; an error that it throws is the failure of the write. */
  readonly onStdout?: ((text: string) => void | Promise<void>) | undefined;
  /** The same for stderr. */
  readonly onStderr?: ((text: string) => void | Promise<void>) | undefined;
  /** Reports when the program that reads stdout exits; by default it never exits. */
  readonly onReaderGone?: Sink['onReaderGone'];
}

export interface RunResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs one command line in this process and returns its output.
 * @throws when a secret of the run appears anywhere: every run of the suite is traced and searched.
 */
export async function runUcctl(
  argv: string | readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const directory = options.paths ? undefined : await mkdtemp(join(tmpdir(), 'ucctl-test-'));
  const isTerminal = (options.terminal ?? false) !== false;
  const columns = options.terminal === true ? 80 : options.terminal || undefined;
  const stdout: string[] = [];
  const stderr: string[] = [];
  const { now } = options;
  const words = typeof argv === 'string' ? splitWords(argv) : argv;
  const given = { ...options.sandbox?.env, ...options.env };
  // Every run must contain at least one secret, so that the search is effective; a sign-in generates it.
  const env = words.includes('login') ? given : { UCCTL_PASSWORD: 'canary-of-every-run', ...given };
  const canaries = new Canaries(env);
  const paths = options.paths ?? pathsIn(directory ?? '');
  const system: System = {
    env,
    cwd: options.cwd ?? process.cwd(),
    platform: process.platform,
    homeDirectory: options.homeDirectory ?? directory ?? '/nonexistent',
    version: '0.0.0-test',
    stdin: {
      isTerminal: isTerminal && options.stdin === undefined,
      async *lines() {
        if (options.stdinLines) {
          yield* options.stdinLines;
          return;
        }
        const lines = Buffer.from(options.stdin ?? '')
          .toString('utf8')
          .split(/\r?\n/);
        yield* lines.at(-1) === '' ? lines.slice(0, -1) : lines;
      },
      text: async () => Buffer.from(options.stdin ?? '').toString('utf8'),
      bytes: async () => Buffer.from(options.stdin ?? ''),
      ...(options.keyboard && { stream: options.keyboard.input as unknown as NodeJS.ReadStream }),
    },
    stdout: {
      ...capture(stdout, isTerminal, columns, options.onStdout),
      rows: options.rows,
      onReaderGone: options.onReaderGone,
    },
    stderr: {
      ...capture(stderr, isTerminal, columns, options.onStderr),
      ...(options.keyboard && { stream: options.keyboard.screen as unknown as NodeJS.WriteStream }),
    },
    signal: options.signal ?? new AbortController().signal,
    sentSecrets: new SentSecrets(),
    withDefaultSignals: (work) => work(),
    paths,
    now: () => (typeof now === 'function' ? now() : (now ?? Date.now())),
    elapsed: options.elapsed ?? (typeof now === 'function' ? now : () => ownProcess.monotonicMilliseconds()),
    sleep: options.sleep ?? ((milliseconds, signal) => delay(milliseconds, undefined, { signal })),
    openUrl: options.openUrl ?? (() => Promise.resolve(false)),
    openPageFile: options.openPageFile ?? (() => Promise.resolve(false)),
    ...(options.page && { page: options.page }),
    ...(options.sandbox && { http: canaries.watched(options.sandbox.http) }),
  };
  try {
    const exit = await runApp(words, system, ...(options.nouns ? [options.nouns.map(registered)] : []));
    const result = { exit, stdout: stdout.join(''), stderr: stderr.join('') };
    canaries.check({ argv: words, paths, ...result });
    return result;
  } finally {
    canaries.end();
    if (directory) await rm(directory, { recursive: true, force: true });
  }
}

/** A noun that is already loaded. */
function registered(noun: NounSpec): RegisteredNoun {
  return { name: noun.name, load: () => Promise.resolve(noun) };
}

function capture(
  pieces: string[],
  isTerminal: boolean,
  columns: number | undefined,
  watch?: (text: string) => void | Promise<void>,
): Sink {
  return {
    isTerminal,
    columns: isTerminal ? columns : undefined,
    async write(text) {
      await watch?.(text);
      pieces.push(text);
    },
  };
}

/** Splits a command line as a shell does, as far as tests need it: spaces, single and double quotes. */
export function splitWords(line: string): readonly string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

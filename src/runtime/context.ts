import type { Client, HttpSend } from '../client/index.ts';
import type { Auth } from './auth.ts';
import type { CommandDescription, NounDescription } from './command-description.ts';
import type { ExitCode } from '../errors/command.ts';
import type { Output } from './output.ts';
import type { PolicyGuard } from './policy.ts';
import type { Settings } from './settings.ts';

/** Questions to the person at the terminal. Every one has a flag that answers it instead. */
export interface Prompt {
  /** Whether anyone can be asked: a terminal on stdin and stderr, and no `--no-input`. */
  readonly available: boolean;
  /**
   * Asks before something that spends, rings or changes many. `--yes` answers it.
   * @throws {CommandError} `confirmation_needed` (exit 9) when nobody can be asked.
   */
  confirm(question: string): Promise<boolean>;
  /** @throws {CommandError} `input_needed` (exit 9) naming `flag` when nobody can be asked. */
  text(question: string, flag: string): Promise<string>;
  /** As `text`, without echo. */
  secret(question: string, flag: string): Promise<string>;
}

/** Directories of this user, by the platform's custom; `UCCTL_CONFIG_DIR` and the like override. */
export interface Paths {
  readonly config: string;
  readonly state: string;
  readonly cache: string;
  readonly data: string;
}

/** Standard input, for `--password-stdin`, `-f -` and the like. */
export interface Input {
  readonly isTerminal: boolean;
  /** All of it, decoded as UTF-8. */
  text(): Promise<string>;
  /** A line at a time, as they come: whoever writes them may keep the pipe open. The line break is no part of them. */
  lines(): AsyncGenerator<string, void, undefined>;
  /** All of it as it came, for a list whose encoding is checked. */
  bytes(): Promise<Uint8Array>;
  /** The real terminal behind it, for prompts; absent in tests and pipes. */
  readonly stream?: NodeJS.ReadStream;
}

/**
 * Everything a command may use. What costs is a function that returns a promise, so that no socket, keychain or database is
 * opened before it is used.
 */
export interface Context {
  /** The shared API client, made at the first call with the profile's session. */
  api(): Promise<Client>;
  /** Signing in and out, and what is stored of it. */
  auth(): Promise<Auth>;
  /** Bare HTTP without the session, for the sandbox's control surface and the like. */
  http(): Promise<HttpSend>;
  readonly settings: Settings;
  readonly out: Output;
  readonly prompt: Prompt;
  /** The policy of the profile, to be asked before the first request. The transport asks it again before each. */
  policy(): Promise<PolicyGuard>;
  readonly input: Input;
  readonly paths: Paths;
  /** Environment variables, already read once at the start. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by the first Ctrl-C or SIGTERM, or when the terminal is closed. */
  readonly signal: AbortSignal;
  /** Working directory, for relative file arguments. */
  readonly cwd: string;
  /** The file that was started, as it was named: what runs this program again where its name does not. */
  readonly program: string | undefined;
  readonly dryRun: boolean;
  /** Every command of the tool as data, for what looks at all of them. */
  commands(): Promise<readonly CommandDescription[]>;
  /**
   * Runs another command line on the same machine, as if it were typed with the global flags of this one; errors are reported as always.
   * `aside`: its results go to stderr.
   * @returns its exit code.
   */
  run(argv: readonly string[], how?: { readonly aside?: boolean }): Promise<number>;
  /** The same by noun. */
  nouns(): Promise<readonly NounDescription[]>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; rejects when `signal` aborts, or one that is given. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Opens the system's browser; resolves false when that visibly failed. */
  openUrl(url: string): Promise<boolean>;
}

/** A command's work. It answers an exit code where success has several, such as `changes present`. */
export type Handler<O> = (ctx: Context, options: O) => Promise<ExitCode | void>;

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { resolvePaths } from '../../src/config/paths.ts';
import { Interrupted } from '../../src/errors/interrupted.ts';
import type { Paths } from '../../src/runtime/context.ts';
import {
  allDone,
  partsOf,
  programLineOf,
  scriptOf,
  type ProgramLine,
  type Step,
} from './document-examples.ts';
import { testLimit } from './limits.ts';
import { open, startProcess } from './process.ts';
import { runUcctl, type RunResult } from './run-ucctl.ts';

type Environment = Readonly<Record<string, string>>;

/** The answers that a person types, by the text of the question. */
const answers: readonly (readonly [RegExp, string])[] = [
  [/\? Password \[/, 'Sandbox-100\r'],
  [/\(y\/N\)/, 'y\r'],
];
const columns = 160;
/** The environment at the end of a shell block. */
const environmentFile = '.environment';
/** Variables that each shell sets for itself. */
const ownOfShell: ReadonlySet<string> = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD']);

/**
 * A home folder and a terminal in which the steps of a document are typed, in order. Lines that only call the program
 * run in this process, which takes a tenth of the processor time of starting it. Other lines are typed into bash in a
 * terminal (`script` makes one), which finds the built program in its path.
 */
export class TypedDocument implements AsyncDisposable {
  readonly #home: string;
  #environment: Environment;
  readonly #background: { readonly stop: AbortController; readonly running: Promise<unknown> }[] = [];

  constructor(home: string, environment: Environment) {
    this.#home = home;
    this.#environment = {
      HOME: home,
      PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
      TERM: 'xterm',
      // There is no keychain in a test; the keychain has tests of its own.
      UCCTL_STORE: 'file',
      // A guide's program uses the vendor's client library, which its reader installs.
      NODE_PATH: resolve('node_modules'),
      ...environment,
    };
    for (const [name, skip] of [
      ['ucctl', 0],
      ['npx', 1],
    ] as const) {
      const start = `exec '${process.execPath}' '${resolve('bin/ucctl.cjs')}' "$@"`;
      const file = join(home, 'bin', name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `#!/bin/sh\n${'shift\n'.repeat(skip)}${start}\n`);
      chmodSync(file, 0o755);
    }
  }

  /** Does a step. @returns what it showed if it failed, else the empty string. */
  async type(step: Step): Promise<string> {
    if (step.kind === 'not-run') return '';
    if (step.kind === 'file') {
      writeFileSync(join(this.#home, step.name), step.text);
      return '';
    }
    if (step.kind === 'background') return this.#start(step.text);
    for (const part of partsOf(step.text)) {
      const fault =
        part.kind === 'calls' ? await this.#call(part.lines) : await this.#typeIntoShell(part.text);
      if (fault !== '') return fault;
    }
    return '';
  }

  /** Stops the programs in the background, as Ctrl-C does. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { stop, running } of this.#background.toReversed()) {
      stop.abort(new Interrupted('SIGINT'));
      await running;
    }
  }

  /** Starts a program that runs until Ctrl-C; its first line reports that it is ready. */
  async #start(text: string): Promise<string> {
    const [part, ...more] = partsOf(text);
    if (part?.kind !== 'calls' || part.lines.length > 1 || more.length > 0)
      throw new Error(`not one call of the program: ${text}`);
    const { words } = programLineOf(part.lines[0] ?? '', this.#environment);
    const stop = new AbortController();
    let running: Promise<unknown> = Promise.resolve();
    const fault = await new Promise<string>((resolve) => {
      const succeed = (): void => resolve('');
      const options = { ...this.#machine(), signal: stop.signal, onStdout: succeed, onStderr: succeed };
      running = runUcctl(words, options).then(
        ({ stdout, stderr }) => resolve(`ended: ${stdout}${stderr}`),
        (error: unknown) => resolve(String(error)),
      );
    });
    this.#background.push({ stop, running });
    return fault;
  }

  async #call(lines: readonly string[]): Promise<string> {
    for (const line of lines) {
      const { exit, stdout, stderr } = await this.#run(programLineOf(line, this.#environment));
      if (exit !== 0) return `${line}\nexit: ${exit}\n${stdout}${stderr}`;
    }
    return '';
  }

  async #run({ words, file }: ProgramLine): Promise<RunResult> {
    if (file !== undefined) {
      const result = await runUcctl(words, this.#machine());
      writeFileSync(join(this.#home, file), result.stdout);
      return result;
    }
    const keyboard = { input: new PassThrough(), screen: Object.assign(new PassThrough(), { columns }) };
    // The prompt listens once it has drawn the question.
    const see = answering((answer) => setImmediate(() => keyboard.input.write(answer)));
    keyboard.screen.setEncoding('utf8').on('data', see);
    return runUcctl(words, { ...this.#machine(), terminal: columns, keyboard });
  }

  #machine(): {
    readonly env: Environment;
    readonly paths: Paths;
    readonly cwd: string;
    readonly homeDirectory: string;
  } {
    const env = this.#environment;
    const homeDirectory = this.#home;
    const paths = resolvePaths({ env, platform: process.platform, homeDirectory });
    return { env, paths, cwd: homeDirectory, homeDirectory };
  }

  async #typeIntoShell(text: string): Promise<string> {
    writeFileSync(join(this.#home, 'program.sh'), scriptOf(text, environmentFile));
    const words = ['-qefc', `stty cols ${columns}; bash --norc program.sh`, '/dev/null'];
    const started = { cwd: this.#home, input: open, env: this.#environment } as const;
    const { child, ended } = startProcess('script', words, started);
    const timeout = setTimeout(() => child.kill(), testLimit / 2);
    child.stdout.on(
      'data',
      answering((answer) => child.stdin.write(answer)),
    );
    const { exit, stdout } = await ended.finally(() => clearTimeout(timeout));
    if (exit !== 0 || !stdout.includes(allDone)) return `${text}\nexit: ${exit}\n${stdout}`;
    this.#environment = environmentOf(readFileSync(join(this.#home, environmentFile), 'utf8'));
    return '';
  }
}

/** The variables in the output of `env -0`. */
function environmentOf(text: string): Environment {
  const entries = text.split('\0').map((line) => [line.split('=', 1)[0] ?? '', line] as const);
  return Object.fromEntries(
    entries
      .filter(([name]) => name !== '' && !ownOfShell.has(name))
      .map(([name, line]) => [name, line.slice(name.length + 1)]),
  );
}

/** Reads the output of a terminal and answers its questions. */
function answering(answer: (text: string) => void): (piece: string) => void {
  let asked = '';
  // A prompt redraws its question at every key, and marks it with ✔ when it is answered.
  let isAnswered = false;
  return (piece) => {
    asked += piece;
    if (isAnswered && asked.includes('✔')) {
      isAnswered = false;
      asked = asked.slice(asked.lastIndexOf('✔'));
    }
    if (isAnswered) return;
    const found = answers.find(([question]) => question.test(stripVTControlCharacters(asked)));
    if (!found) return;
    asked = '';
    isAnswered = true;
    answer(found[1]);
  };
}

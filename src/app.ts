import { humanError, jsonError, traceText } from './cli/error-report.ts';
import type { Failure } from './cli/failure.ts';
import { interruptExit } from './cli/interrupted.ts';
import { askedFormat, guessFormat, pickedFields, type Program, understand } from './cli/program.ts';
import { registry } from './cli/registry.ts';
import { SeenReplies } from './cli/seen-replies.ts';
import { ClosedPipe, createOutput, isClosedPipe, type ProgramOutput } from './output/index.ts';
import type { Settings } from './runtime/context.ts';
import { fieldsOf, type RegisteredNoun } from './runtime/define.ts';
import { forProfile } from './runtime/for-profile.ts';
import { Exit, ExitWith, usageError } from './runtime/errors.ts';
import type { OutputFormat } from './runtime/output.ts';
import type { Sink, System } from './runtime/system.ts';

/**
 * Runs one command line to its end.
 * @returns the exit code. Never throws: every error was reported on stderr.
 */
export async function runApp(
  argv: readonly string[],
  system: System,
  nouns: readonly RegisteredNoun[] = registry,
): Promise<number> {
  let program: Program;
  try {
    program = await understand(argv, nouns, system);
  } catch (error) {
    const format = guessFormat(argv, system.env);
    const { stdout, stderr, env } = system;
    const out = createOutput({ stdout, stderr, env, format, now: () => system.now() });
    return report({ error, system, out, format, debug: argv.some((word) => /^--debug(=|$)/.test(word)) });
  }
  if (program.kind === 'run') return runCommand(program, system, nouns);
  return printText(program, system);
}

/** The same system with another standard output. Its members stay as they are: some are read only when they are needed, and may fail then. */
function withStdout(system: System, stdout: Sink): System {
  return Object.create(system, { stdout: { value: stdout } }) as System;
}

async function printText(program: Extract<Program, { kind: 'print' }>, system: System): Promise<number> {
  try {
    await system.stdout.write(program.text);
  } catch (error) {
    if (!isClosedPipe(error)) throw error;
  }
  return program.exit;
}

async function runCommand(
  program: Extract<Program, { kind: 'run' }>,
  system: System,
  nouns: readonly RegisteredNoun[],
): Promise<number> {
  const { spec, globals } = program;
  const picked = pickedFields(globals);
  const outputOf = (format: OutputFormat | undefined): ProgramOutput =>
    createOutput({
      format,
      stdout: system.stdout,
      stderr: system.stderr,
      env: system.env,
      color: globals.color,
      jq: globals.jq,
      quiet: globals.quiet,
      unasked: globals.yes === true || globals.dryRun === true,
      header: !globals.noHeader,
      fields: picked,
      jsonFields: picked && fieldsOf(spec),
      csvRaw: globals.csvRaw,
      sort: globals.sort,
      // A command about a stretch of time has a --tz of its own: what is asked in a zone is shown in it.
      zone: globals.tz ?? ownText(program.options['tz']),
      accessible: globals.accessible,
      finishesUnread: Boolean(spec.mutates) && globals.dryRun !== true,
      now: () => system.now(),
    });
  let format: OutputFormat | undefined;
  let out = outputOf(undefined);
  let settings: Settings | undefined;
  const replies = new SeenReplies();
  try {
    format = askedFormat(globals, system.env);
    out = outputOf(format);
    const { requireKnownProfile, resolvePaths, resolveSettings } = await import('./config/resolve.ts');
    const paths = system.paths ?? resolvePaths(system);
    settings = await resolveSettings({
      flags: {
        profile: globals.profile,
        baseUrl: globals.baseUrl,
        timeoutSeconds: globals.timeout,
        language: globals.lang,
        dialect: globals.dialect,
        proxy: globals.proxy,
        caFile: globals.caFile,
        retry: globals.retry,
        maxWaitSeconds: globals.maxWait,
      },
      env: system.env,
      paths,
    });
    await requireKnownProfile(settings, paths, spec.path);
    const { defaultFormatUnless: unless } = spec;
    const isUsual = unless === undefined || program.options[unless] !== true;
    const preferred = settings.output?.value ?? (isUsual ? spec.defaultFormat : undefined);
    if (!format && preferred) {
      format = preferred;
      out = outputOf(format);
    }
    await out.check();
    const [handler, { createContext }] = await Promise.all([spec.load(), import('./compose.ts')]);
    // The options were checked against the spec, and the spec against the handler by the compiler.
    const options = program.options as never;
    const ctx = createContext({
      system,
      globals,
      settings,
      paths,
      out,
      nouns,
      spec,
      replies,
      run: async (argv, { aside = false } = {}) => {
        await out.settled();
        const { carriedWords } = await import('./cli/carried-words.ts');
        const words = [...argv, ...carriedWords(globals, !aside)];
        return runApp(words, aside ? withStdout(system, system.stderr) : system, nouns);
      },
    });
    if (globals.watch) {
      if (globals.sort?.length) throw usageError('--sort and --watch cannot be given together');
      const { watchCommand } = await import('./cli/watch.ts');
      await watchCommand(ctx, {
        title: spec.path.join(' '),
        intervalSeconds: globals.interval ?? 10,
        run: (watched) => handler(watched, options),
      });
      await out.settled();
      return Exit.ok;
    }
    const exit = await handler(ctx, options);
    await out.settled();
    return exit ?? Exit.ok;
  } catch (error) {
    const detailed = program.options['detailedExitcode'] === true;
    const debug = globals.debug !== undefined;
    return report({ error, system, out, format, debug, settings, detailed, replies });
  }
}

interface Report {
  readonly error: unknown;
  readonly system: System;
  readonly out: ProgramOutput;
  readonly format: OutputFormat | undefined;
  readonly debug: boolean;
  readonly settings?: Settings | undefined;
  /** `--detailed-exitcode` */
  readonly detailed?: boolean | undefined;
  readonly replies?: SeenReplies | undefined;
}

async function report(failed: Report): Promise<number> {
  const { error, system, out, format, debug, settings, detailed, replies } = failed;
  await out.settled();
  if (error instanceof ClosedPipe) return Exit.ok;
  if (error instanceof ExitWith) return error.exit;
  const { toFailure } = await import('./cli/to-failure.ts');
  try {
    const { showWithheld, withheldRequests } = await import('./cli/dry-run.ts');
    const withheld = withheldRequests(error);
    if (withheld) {
      await showWithheld(withheld, out);
      // What the run itself would end with, such as rows left out.
      const { cause } = error as Error;
      if (cause !== undefined) return await report({ ...failed, error: cause });
      return detailed ? Exit.changesPresent : Exit.ok;
    }
    const interrupted = interruptExit(error, system.signal);
    if (interrupted !== undefined) return interrupted;
    // Whatever a server wrote into an error on another way than by an error reply, such as a redirect.
    const { maskSecrets, maskValue } = await import('./platform/mask-secrets.ts');
    const found = maskValue(toFailure(error, replies)) as Failure;
    const hint = found.hint === undefined ? undefined : forProfile(found.hint, settings?.profile);
    const failure = { ...found, hint };
    await system.stderr.write(await errorText(failure, out, format, settings));
    if (debug) await system.stderr.write(maskSecrets(traceText(error)));
    return failure.exit;
  } catch (second) {
    // Where even the error cannot be written, the exit code still says what happened.
    const cannotWrite = second instanceof Error && 'syscall' in second && second.syscall === 'write';
    if (cannotWrite || second instanceof ClosedPipe || isClosedPipe(second))
      return toFailure(error, replies).exit;
    throw second;
  }
}

async function errorText(
  failure: Failure,
  out: ProgramOutput,
  format: OutputFormat | undefined,
  settings: Settings | undefined,
): Promise<string> {
  if (format === 'json' || format === 'ndjson') return jsonError(failure);
  return `${await out.forStderr(humanError(failure, settings?.profile.value, (kind, text) => out.style(kind, text)))}\n`;
}

function ownText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

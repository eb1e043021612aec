import { printText, reportAlone } from './app/print-text.ts';
import { warnOfMisspelled } from './app/misspelled-variables.ts';
import { type Report, report } from './app/report.ts';
import { type GlobalOptions, globalOptionsFor } from './cli/global-options.ts';
import { checkOutputFiles } from './cli/output-files.ts';
import {
  askedFormat,
  checkSelected,
  pathCheckOf,
  pickedFields,
  type Program,
  understand,
} from './cli/program.ts';
import { registry } from './cli/registry.ts';
import { SeenReplies } from './cli/seen-replies.ts';
import { createOutput, drawsInPlace, type ProgramOutput } from './output/index.ts';
import { checkZone } from './runtime/check-zone.ts';
import type { PathCheck } from './runtime/field-path.ts';
import type { Context, Paths, SearchChoice } from './runtime/context.ts';
import type { NestedRun } from './runtime/streams.ts';
import type { SettingFlags } from './config/settings.ts';
import type { Settings } from './runtime/settings.ts';
import { fieldsOf, type RegisteredNoun } from './runtime/define.ts';
import { Exit, usageError } from './errors/command.ts';
import type { OutputFormat } from './runtime/output.ts';
import { takeUnflushed } from './platform/unflushed.ts';
import { isStoreUrl } from './platform/store-address.ts';
import type { System } from './runtime/system.ts';

/**
 * Runs one command line to its end. `isNested`: a command of the same process runs it.
 * @returns the exit code. Never throws: every error was reported on stderr.
 */
export async function runApp(
  argv: readonly string[],
  system: System,
  nouns: readonly RegisteredNoun[] = registry,
  isNested = false,
): Promise<number> {
  let program: Program;
  try {
    program = await understand(argv, nouns, system, (globals) => canChoose(globals, system));
  } catch (error) {
    return reportAlone(error, argv, system);
  }
  if (program.kind === 'run') return runCommand({ ...program, argv, isNested }, system, nouns);
  return printText(program, argv, system);
}

interface Run extends Extract<Program, { kind: 'run' }> {
  /** The arguments of `ucctl`, as typed. */
  readonly argv: readonly string[];
  /** Whether a command of the same process runs the command line. */
  readonly isNested: boolean;
}

/**
 * Whether the user can choose missing values: on a terminal that can be redrawn, without `--no-input`. If another
 * program reads the output, the command may be part of a script, and a missing value is an error.
 */
function canChoose({ noInput, accessible }: GlobalOptions, { stdin, stdout, stderr, env }: System): boolean {
  if (noInput || !drawsInPlace({ stderr, env, accessible }) || !stderr.isTerminal) return false;
  return stdout.isTerminal && stdin.isTerminal && stdin.stream !== undefined;
}

function runCommand(program: Run, system: System, nouns: readonly RegisteredNoun[]): Promise<number> {
  return new CommandRun(program, system, nouns).execute();
}

/** One run of one command. An error is reported with the settings and format known at that time. */
class CommandRun {
  readonly #program: Run;
  readonly #system: System;
  readonly #nouns: readonly RegisteredNoun[];
  readonly #replies = new SeenReplies();
  /** The format set by the command line, the environment or the profile. */
  #format: OutputFormat | undefined;
  #out: ProgramOutput;
  #settings: Settings | undefined;
  #checkPath: PathCheck | undefined;
  /** The last run of changes that the command has started. */
  #started: Report['started'];
  /** Work for the end of the run. */
  readonly #ends: (() => Promise<void>)[] = [];

  constructor(program: Run, system: System, nouns: readonly RegisteredNoun[]) {
    this.#program = program;
    this.#system = system;
    this.#nouns = nouns;
    this.#out = this.#outputFor(undefined);
  }

  /** @returns the exit code. */
  async execute(): Promise<number> {
    const { spec, globals, options: values } = this.#program;
    try {
      this.#show(askedFormat(globals, spec.printsText ? {} : this.#system.env));
      const { settings, paths } = await this.#resolveSettings();
      if (!this.#format) this.#show(preferredFormat(this.#program, settings));
      await checkSelected(spec, globals, this.#format);
      this.#checkPath = await pathCheckOf(spec, [...(pickedFields(globals) ?? []), ...(globals.sort ?? [])]);
      await requireDialect(spec, settings);
      checkOutputFiles(
        { ...globalOptionsFor(spec), ...spec.options },
        { ...globals, ...values },
        this.#system,
      );
      await this.#out.check();
      const [handler, { createContext }] = await Promise.all([spec.load(), import('./compose.ts')]);
      const ctx = createContext({
        system: this.#system,
        globals,
        settings,
        paths,
        out: this.#out,
        nouns: this.#nouns,
        spec,
        replies: this.#replies,
        atEnd: (work) => this.#ends.push(work),
        settingsOf: async (profile, origin) =>
          this.#settingsFor(
            { ...this.#flags(), profile, ...(origin !== undefined && { baseUrl: origin }) },
            paths,
          ),
        onRun: (run) => (this.#started = run),
        run: (argv, how) => this.#runAnother(argv, how),
      });
      // The network creates the trace file, which must exist even if the command sends no request.
      if (globals.traceFile !== undefined) await ctx.http();
      const options = await this.#completeOptions(ctx);
      const exit = globals.watch
        ? await this.#watch(ctx, handler, options)
        : // This cast is safe: the options were checked against the spec, and the compiler checked the spec against the handler.
          await handler(ctx, options as never);
      await this.#out.settled();
      return exit ?? Exit.ok;
    } catch (error) {
      return await this.#report(error);
    } finally {
      await Promise.allSettled(this.#ends.map((work) => work()));
      await this.#warnOfUnflushed();
    }
  }

  async #warnOfUnflushed(): Promise<void> {
    const unflushed = takeUnflushed();
    if (unflushed.length === 0) return;
    const { fileFailureReason } = await import('./platform/file-failure.ts');
    for (const { folder, error } of unflushed)
      this.#out.warn(
        `the files in ${folder} are written, but may be lost if the machine fails now: ${fileFailureReason(error)}`,
      );
    await this.#out.settled();
  }

  #outputFor(format: OutputFormat | undefined): ProgramOutput {
    return outputOf(this.#program, {
      system: this.#system,
      format,
      replies: this.#replies,
      zone: () => this.#settings?.tz.value,
      checkPath: () => this.#checkPath,
    });
  }

  #show(format: OutputFormat | undefined): void {
    if (format === undefined) return;
    this.#format = format;
    this.#out = this.#outputFor(format);
  }

  /** Resolves the settings of the run. @throws {CommandError} if the profile does not exist. */
  async #resolveSettings(): Promise<{ readonly settings: Settings; readonly paths: Paths }> {
    const { requireKnownProfile, resolvePaths, settingKeys } = await import('./config/resolve.ts');
    const paths = this.#system.paths ?? resolvePaths(this.#system);
    if (!this.#program.isNested)
      await warnOfMisspelled(this.#system.env, Object.values(settingKeys), this.#out);
    const settings = await this.#settingsFor(this.#flags(), paths);
    this.#settings = settings;
    await requireKnownProfile(settings, paths, this.#program.spec.path);
    return { settings, paths };
  }

  async #settingsFor(flags: SettingFlags, paths: Paths): Promise<Settings> {
    const { resolveSettings } = await import('./config/resolve.ts');
    const { repairsSettings: skipsInvalid } = this.#program.spec;
    return resolveSettings({ flags, env: this.#system.env, paths, skipsInvalid });
  }

  /** Returns the settings on the command line. */
  #flags(): SettingFlags {
    const { globals, options } = this.#program;
    // A command about a period of time has its own --tz option, which also applies to displayed times.
    const tz = globals.tz ?? ownText(options['tz']);
    return {
      profile: globals.profile,
      baseUrl: globals.baseUrl,
      timeoutSeconds: globals.timeout,
      language: globals.lang,
      tz: tz === undefined ? undefined : checkZone(tz),
      dialect: globals.dialect,
      store: globals.store ?? ownStoreUrl(options['store']),
      proxy: globals.proxy,
      caFile: globals.caFile,
      retry: globals.retry,
      maxWaitSeconds: globals.maxWait,
    };
  }

  /** Returns the options of the command. The user chooses missing values from lists. */
  async #completeOptions(ctx: Context): Promise<Run['options']> {
    const { choices, options, argv } = this.#program;
    if (choices.length === 0) return options;
    const { chooseMissing } = await import('./compose/choose.ts');
    const profiles = async (): Promise<readonly SearchChoice[]> => {
      const { readConfigFile } = await import('./config/index.ts');
      const config = await readConfigFile(ctx.paths);
      return Object.entries(config.profiles).map(([value, { baseUrl }]) => ({
        value,
        label: typeof baseUrl === 'string' ? `${value}  ${baseUrl}` : value,
      }));
    };
    return chooseMissing(ctx, { choices, options, argv, profiles });
  }

  /** `--watch`: repeats the command. */
  async #watch(ctx: Context, handler: AnyHandler, options: Run['options']): Promise<void> {
    const { spec, globals } = this.#program;
    if (globals.sort?.length)
      throw usageError('--sort and --watch cannot be used together', 'remove one of them');
    const { checkOptions, watchCommand } = await import('./cli/watch.ts');
    checkOptions(spec.options, options);
    await watchCommand(ctx, {
      title: spec.path.join(' '),
      intervalSeconds: globals.interval ?? 10,
      run: (watched) => handler(watched, options as never),
    });
  }

  /** Runs another command line with the same global flags. */
  async #runAnother(argv: readonly string[], how: NestedRun = {}): Promise<number> {
    await this.#out.settled();
    const [{ forwardedFlags }, { nestedSystem }] = await Promise.all([
      import('./cli/forwarded-flags.ts'),
      import('./app/nested-system.ts'),
    ]);
    // Flags come first, because the words may end with `--` and arguments.
    const flags = forwardedFlags(this.#program.globals, how.resultsToStderr !== true && !how.streams);
    const system = nestedSystem(this.#system, this.#settings?.profile, how);
    return runApp([...flags, ...argv], system, this.#nouns, true);
  }

  #report(error: unknown): Promise<number> {
    const { globals, options } = this.#program;
    return report({
      error,
      system: this.#system,
      out: this.#out,
      format: this.#format,
      debug: globals.debug !== undefined,
      settings: this.#settings,
      detailed: options['detailedExitcode'] === true,
      replies: this.#replies,
      started: this.#started,
    });
  }
}

type AnyHandler = Awaited<ReturnType<Run['spec']['load']>>;

function outputOf(
  { spec, globals, options }: Run,
  {
    system,
    format,
    replies,
    zone,
    checkPath,
  }: {
    readonly system: System;
    readonly format: OutputFormat | undefined;
    readonly replies: SeenReplies;
    /** Returns the time zone of the settings; undefined for UTC. */
    readonly zone: () => string | undefined;
    readonly checkPath: () => PathCheck | undefined;
  },
): ProgramOutput {
  const picked = pickedFields(globals);
  return createOutput({
    format,
    stdout: system.stdout,
    stderr: system.stderr,
    stdin: globals.noInput === true ? undefined : system.stdin,
    env: system.env,
    color: globals.color,
    jq: globals.jq,
    quiet: globals.quiet,
    skipsConfirmation: globals.yes === true || globals.dryRun === true,
    header: !globals.noHeader,
    fields: picked,
    knownFields: picked || globals.sort?.length ? fieldsOf(spec) : undefined,
    get checkPath() {
      return checkPath();
    },
    csvRaw: globals.csvRaw,
    profile: globals.profile,
    sort: globals.sort,
    // The settings are read after the output was created.
    get zone() {
      return zone();
    },
    accessible: globals.accessible,
    timesWarnings: spec.timesWarnings === true,
    logFormat: options['logFormat'] === 'json' ? 'json' : 'text',
    sentSecrets: system.sentSecrets,
    get finishesWithoutReader() {
      const changes = spec.mutates === 'by-request' ? replies.mayHaveChanged : spec.mutates === true;
      return changes && globals.dryRun !== true;
    },
    now: () => system.now(),
  });
}

/** Returns the address of a PostgreSQL store in an option of a command that also chooses a token store. */
function ownStoreUrl(value: unknown): string | undefined {
  return typeof value === 'string' && isStoreUrl(value) ? value : undefined;
}

/** Checks that the dialect has the requests of the command. @throws {CommandError} `usage` (exit 2) if it does not. */
async function requireDialect({ path, dialect }: Run['spec'], settings: Settings): Promise<void> {
  const { value: own } = settings.dialect;
  if (dialect === undefined || dialect === own) return;
  const { otherDialect } = await import('./runtime/other-dialect.ts');
  throw otherDialect(path, dialect, settings);
}

/** Returns the output format of the profile, or else the default format of the command. */
function preferredFormat({ spec, options }: Run, settings: Settings): OutputFormat | undefined {
  if (spec.printsText) return undefined;
  const { defaultFormatUnless: unless } = spec;
  const isUsual = unless === undefined || options[unless] !== true;
  return settings.output.value ?? (isUsual ? spec.defaultFormat : undefined);
}

function ownText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

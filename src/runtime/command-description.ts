import type { DialectName } from '../contract/dialects.ts';
import type { RateGroup } from '../contract/enums.ts';
import type { OutputFormat } from './output.ts';
import type { CommandOutput } from './output-schema.ts';

/** Values by dialect. */
export type OfferedValues = Readonly<Record<DialectName, readonly string[]>>;

interface OptionBase {
  /** One line for help, beginning with a noun or verb, without a period. */
  readonly summary: string;
  /** A single letter, without the dash. */
  readonly short?: string;
  /** The placeholder of the value in help, e.g. `NUMBER`. */
  readonly value?: string;
  /** An argument instead of a flag; arguments are in the order of declaration. */
  readonly positional?: boolean;
  readonly required?: boolean;
  /**
   * Options that replace this one: if none of them is given, the handler needs a value. A terminal then offers a list,
   * as for `required` options.
   */
  readonly requiredUnless?: readonly string[];
  /** A rarely needed option, which `--help --all` lists but `--help` does not. */
  readonly advanced?: true;
  /** Options that must not be used together with this one. */
  readonly conflicts?: readonly string[];
  /** The option without which this one would have no effect. */
  readonly requires?: string;
  /** Whether the option cannot be used together with `--watch`, because the command then does not only read. */
  readonly conflictsWithWatch?: true;
  /** Fields of the output that only rows of a run with this option have. */
  readonly adds?: readonly string[];
  /** Values that completion offers, possibly by dialect, in place of the choices. Other values may be valid, too. */
  readonly offered?: OfferedValues | readonly string[];
}
export interface StringOption<V extends string = string> extends OptionBase {
  readonly type: 'string';
  readonly choices?: readonly V[];
  readonly default?: V;
  /** The value of a flag that is given without a value; other values must be joined with `=`. */
  readonly alone?: V;
  /**
   * The value is the path of a file that ucctl writes, so that a folder is rejected before the command runs. This is
   * an example of a file name for the error.
   */
  readonly writes?: string;
  /** Whether the empty text is a value, because it removes a text. By default, it is rejected. */
  readonly isEmptyAllowed?: true;
  /** Whether the value `-` of such a flag is standard output. By default, `-` is rejected. */
  readonly orStdout?: boolean;
}
export interface IntegerOption extends OptionBase {
  readonly type: 'integer';
  readonly min?: number;
  readonly max?: number;
  readonly default?: number;
}
/** Written as `90s`, `15m`, `2h` or `7d`; the handler receives seconds. */
export interface DurationOption extends OptionBase {
  readonly type: 'duration';
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  readonly default?: number;
}
/** `--flag`; with `negatable` also `--no-flag`. Without either flag, the value is undefined. */
export interface BooleanOption extends OptionBase {
  readonly type: 'boolean';
  readonly negatable?: boolean;
}
/** Repeatable; each value may contain several values separated by commas, unless `commas: false`. */
export interface ListOption<V extends string = string> extends OptionBase {
  readonly type: 'list';
  readonly choices?: readonly V[];
  readonly commas?: boolean;
  /** The values are another command with its arguments, so flags after its first word must follow `--`. */
  readonly isCommandLine?: true;
}
export type OptionSpec = StringOption | IntegerOption | DurationOption | BooleanOption | ListOption;

type SpecFor<V> = [V] extends [boolean]
  ? BooleanOption
  : [V] extends [number]
    ? IntegerOption | DurationOption
    : [V] extends [readonly (infer I extends string)[]]
      ? ListOption<I>
      : [V] extends [string]
        ? StringOption<V>
        : never;
type Presence<O, K extends keyof O> = undefined extends O[K]
  ? { readonly required?: false }
  : [O[K]] extends [readonly string[]]
    ? unknown
    : { readonly required: true } | { readonly default: NonNullable<O[K]> };

/** Exactly one spec for each option of a handler: a missing or an extra one does not compile. */
export type OptionTable<O> = {
  readonly [K in keyof O]-?: SpecFor<NonNullable<O[K]>> & Presence<O, K>;
};

/** An effect of a command that cannot be undone: a message that may cost money, a phone that rings, deleted data. */
export type Effect = 'sends' | 'rings' | 'deletes';

export interface Example {
  readonly comment: string;
  readonly command: string;
}

/**
 * The description of a command. Help, completions, the reference and the dry-run guard use it without loading
 * the handler.
 */
export interface CommandFacts<O = never> {
  /** Noun and verb, or one word for a command without verbs. */
  readonly path: readonly [string, ...string[]];
  readonly summary: string;
  /** What the command does, in at most three sentences; shown by `--help`. */
  readonly description?: string;
  /** Further paragraphs, for `--help --all`, the manual and the reference: formats, special cases, guarantees. */
  readonly details?: string;
  readonly options: OptionTable<O>;
  /**
   * The flags that unexpected arguments mean, in their order; a list takes all further arguments. An error shows the
   * command line with these flags.
   */
  readonly argumentFlags?: readonly (keyof O & string)[];
  readonly examples: readonly Example[];
  /** Permissions of the application that the command needs: docs/spec/permissions.md. */
  readonly permissions?: readonly string[];
  /** The permissions that the command needs in dialect `current`, if they differ. */
  readonly currentPermissions?: readonly string[];
  /**
   * The only dialect that has the requests of the command. In the other dialect, the command fails before its first
   * request.
   */
  readonly dialect?: 'current';
  /** Whether its warnings begin with the time of day, because it runs for a long time. */
  readonly timesWarnings?: true;
  /** The heaviest usage group of its requests. */
  readonly rateGroup?: RateGroup;
  /**
   * Whether the command makes changes on the service and therefore offers `--dry-run`. `by-request` if that depends on
   * its options.
   */
  readonly mutates?: boolean | 'by-request';
  /**
   * What `--dry-run` prints as JSON: always an array of requests (`requests`), or the output of the command (`output`).
   * By default one request, or an array of several requests.
   */
  readonly dryRunPrints?: 'requests' | 'output';
  /**
   * Whether the command only reads the store, although it sends requests. With a store that is read-only, its requests
   * then count towards the rate limits of this machine.
   */
  readonly onlyReadsStore?: boolean;
  /** The effect that cannot be undone; AI agents (`ucctl mcp`, `ucctl skill`) get a warning about it. */
  readonly effect?: Effect;
  /**
   * Whether the command only explains what to do instead, because the service has no such request. Help of its noun,
   * completion and the lists of commands omit it.
   */
  readonly unlisted?: true;
  /** Whether the command supports `--watch`: it only reads, and its results change over time. */
  readonly watch?: true;
  /** The format if flag, environment and profile set none; by default table or TSV. */
  readonly defaultFormat?: OutputFormat;
  /** The option that disables `defaultFormat`. */
  readonly defaultFormatUnless?: keyof O & string;
  /** Whether another program reads the plain text of the command. A format of environment or profile does not apply. */
  readonly printsText?: true;
  /** Whether invalid settings of the config file count as not set, because the command helps to repair the file. */
  readonly repairsSettings?: true;
  /** The JSON output: its schema and fields. */
  readonly output?: CommandOutput;
  /** Exit codes that have a special meaning for this command. */
  readonly exitCodes?: Readonly<Record<number, string>>;
}

/** A command whose option types are known only to its handler. */
export type CommandDescription = Omit<CommandFacts, 'options' | 'argumentFlags' | 'defaultFormatUnless'> & {
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly argumentFlags?: readonly string[];
  readonly defaultFormatUnless?: string;
};

/** A noun with its commands. */
export interface NounDescription {
  readonly name: string;
  readonly summary: string;
  /** What its commands do not do, and what to use instead; below the commands in help. */
  readonly note?: string;
  /** The section of the root help that lists the noun. */
  readonly section: 'Phones and people' | 'Messages' | 'Calls' | 'Live events' | 'Account and setup';
  readonly commands: readonly CommandDescription[];
}

import type { RateGroup } from '../contract/enums.ts';
import type { OutputFormat } from './output.ts';
import type { CommandOutput, Outputs } from './output-schema.ts';

interface OptionBase {
  /** One line for the help text, without a full stop. */
  readonly summary: string;
  /** A single letter, without the dash. */
  readonly short?: string;
  /** The word for the value in help, e.g. `NUMBER`. */
  readonly value?: string;
  /** An argument by position instead of a flag; order of declaration is order on the command line. */
  readonly positional?: boolean;
  readonly required?: boolean;
  /** Names another option that must not be given together with this one. */
  readonly conflicts?: readonly string[];
}
export interface StringOption<V extends string = string> extends OptionBase {
  readonly type: 'string';
  readonly choices?: readonly V[];
  readonly default?: V;
  /** Its value when the flag stands alone; any other is then joined to it by `=`. */
  readonly alone?: V;
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
/** `--flag`; with `negatable` also `--no-flag`, and neither leaves it undefined. */
export interface BooleanOption extends OptionBase {
  readonly type: 'boolean';
  readonly negatable?: boolean;
}
/** Repeatable, and each value may hold several, separated by commas unless `commas: false`. */
export interface ListOption<V extends string = string> extends OptionBase {
  readonly type: 'list';
  readonly choices?: readonly V[];
  readonly commas?: boolean;
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

/** Exactly one spec for each option of a handler: a missing or a surplus one does not compile. */
export type OptionTable<O> = {
  readonly [K in keyof O]-?: SpecFor<NonNullable<O[K]>> & Presence<O, K>;
};

export interface Example {
  readonly comment: string;
  readonly command: string;
}

/** What is known of a command without loading it; help, completions, the reference and the dry-run guard are made from it. */
export interface CommandFacts<O = never> {
  /** Noun and verb, or one word for a command without verbs. */
  readonly path: readonly [string, ...string[]];
  readonly summary: string;
  /** Further paragraphs of the help text. */
  readonly description?: string;
  readonly options: OptionTable<O>;
  readonly examples: readonly Example[];
  /** Permissions of the application that the command needs: docs/spec/permissions.md. */
  readonly permissions?: readonly string[];
  /** The heaviest usage group among its requests. */
  readonly rateGroup?: RateGroup;
  /**
   * Whether it changes anything at the service: such commands offer `--dry-run`, and `--yes` where they ask. `by-request` where that depends
   * on what it is asked for.
   */
  readonly mutates?: boolean | 'by-request';
  /** Whether `--watch` may run it over and over: it only reads, and what it reads changes. */
  readonly watch?: true;
  /** Format when neither flag, environment nor profile names one, instead of table and TSV. */
  readonly defaultFormat?: OutputFormat;
  /** The option under which that does not hold. */
  readonly defaultFormatUnless?: keyof O & string;
  /** What it writes as JSON: its schema and its fields. */
  readonly output?: CommandOutput;
  /** Fields of its JSON output, where `output` does not name them. */
  readonly jsonFields?: readonly string[];
  /** Exit codes beyond the common ones, with what they mean here. */
  readonly exitCodes?: Readonly<Record<number, string>>;
}

/** A command whose options are known only to its handler. */
export type CommandDescription = Omit<CommandFacts, 'options' | 'defaultFormatUnless'> & {
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly defaultFormatUnless?: string;
};

/** A noun: its commands share a help page. */
export interface NounDescription {
  readonly name: string;
  readonly summary: string;
  /** Which block of the root help it stands in. */
  readonly section: 'Phones and people' | 'Messages' | 'Calls' | 'Live events' | 'Account and setup';
  readonly commands: readonly CommandDescription[];
  /** What its commands write as JSON; loaded for `ucctl schema` alone. */
  readonly outputs?: () => Promise<Outputs>;
}

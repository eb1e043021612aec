import type { CommandDescription, CommandFacts, NounDescription } from './command-description.ts';
import type { Context } from './context.ts';
import type { ExitCode } from '../errors/command.ts';

/** A command as plain data, checked against its handler's options. */
export interface CommandSpec<O = never> extends CommandFacts<O> {
  /** Loads the handler; called only when the command runs. */
  readonly load: () => Promise<(ctx: Context, options: O) => Promise<ExitCode | void>>;
}

/** A spec whose handler's options are known only to the handler. */
export type AnyCommandSpec = CommandDescription & {
  readonly load: () => Promise<(ctx: Context, options: never) => Promise<ExitCode | void>>;
};

/** Checks a spec against its handler's options and forgets their type. */
export function defineCommand<O>(spec: CommandSpec<O>): AnyCommandSpec {
  return spec;
}

/** Fields of a command's JSON output: for help, `--json=help` and the check of `--json=FIELDS`. */
export function fieldsOf({ output, jsonFields = [] }: CommandDescription): readonly string[] {
  return output?.fields ?? jsonFields;
}

/** A noun by its name; its specs are loaded when it is named on the command line. */
export interface RegisteredNoun {
  readonly name: string;
  readonly load: () => Promise<NounSpec>;
}

/** A noun whose commands can be run. */
export interface NounSpec extends NounDescription {
  readonly commands: readonly AnyCommandSpec[];
}

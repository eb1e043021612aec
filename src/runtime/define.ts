import type { CommandDescription, CommandFacts, NounDescription } from './command-description.ts';
import type { Context } from './context.ts';
import type { ExitCode } from '../errors/command.ts';

/** A command as plain data; the compiler checks it against the options of its handler. */
export interface CommandSpec<O = never> extends CommandFacts<O> {
  /** Loads the handler; called only when the command runs. */
  readonly load: () => Promise<(ctx: Context, options: O) => Promise<ExitCode | void>>;
}

/** A spec whose option types are known only to the handler. */
export type AnyCommandSpec = CommandDescription & {
  readonly load: () => Promise<(ctx: Context, options: never) => Promise<ExitCode | void>>;
};

/** Checks a spec against the options of its handler, and erases the type of these options. */
export function defineCommand<O>(spec: CommandSpec<O>): AnyCommandSpec {
  return spec;
}

type PermissionFacts = Pick<CommandDescription, 'permissions' | 'currentPermissions' | 'dialect'>;

/** Returns the permissions that a command needs in a dialect. */
export function permissionsIn(
  dialect: 'spec' | 'current',
  { permissions = [], currentPermissions, dialect: only }: PermissionFacts,
): readonly string[] {
  if (only !== undefined && dialect !== only) return [];
  return dialect === 'current' ? (currentPermissions ?? permissions) : permissions;
}

/**
 * Returns the permissions of a command in each dialect, for help and documentation; the first line is without a dialect
 * if they are the same.
 */
export function permissionLines(
  spec: PermissionFacts,
): readonly (readonly [dialect: string | undefined, names: readonly string[]])[] {
  if (spec.dialect !== undefined) return [[spec.dialect, permissionsIn(spec.dialect, spec)]];
  const specified = permissionsIn('spec', spec);
  if (spec.currentPermissions === undefined) return specified.length > 0 ? [[undefined, specified]] : [];
  return [
    ['spec', specified],
    ['current', spec.currentPermissions],
  ];
}

/** Returns fields of a command's JSON output, for help, `--json=help` and the check of `--json=FIELDS`. */
export function fieldsOf({ output }: Pick<CommandDescription, 'output'>): readonly string[] {
  return output?.fields ?? [];
}

/** A noun whose specs are loaded only when it is on the command line. */
export interface RegisteredNoun {
  readonly name: string;
  readonly load: () => Promise<NounSpec>;
}

/** A noun whose commands can be run. */
export interface NounSpec extends NounDescription {
  readonly commands: readonly AnyCommandSpec[];
}

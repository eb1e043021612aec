import { valueName } from '../../src/cli/flags.ts';
import { explained, flagTerm, usageWords } from '../../src/cli/help.ts';
import type { AnyCommandSpec } from '../../src/runtime/define.ts';

type Rows = readonly (readonly [string, string])[];

/** What the reference and the manual say of a command, in the words of its help. */
export function commandHelpParts(spec: AnyCommandSpec): {
  readonly usage: string;
  readonly args: Rows;
  readonly flags: Rows;
  readonly exits: Rows;
} {
  const own = Object.entries(spec.options);
  const flags = own.filter(([, option]) => !option.positional);
  return {
    usage: `ucctl ${usageWords(spec)}${flags.length > 0 ? ' [FLAGS]' : ''}`,
    args: own
      .filter(([, option]) => option.positional)
      .map(([key, option]) => [valueName(key, option), explained(option)]),
    flags: flags.map(([key, option]) => [flagTerm(key, option).trim(), explained(option)]),
    exits: Object.entries(spec.exitCodes ?? {}),
  };
}

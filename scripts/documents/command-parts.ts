import { explained, explainedArguments, flagTerm, usageLine } from '../../src/cli/help-parts.ts';
import type { AnyCommandSpec } from '../../src/runtime/define.ts';

type Rows = readonly (readonly [string, string])[];

/** What the reference and the manual say about a command; the texts are those of its help. */
export function commandHelpParts(spec: AnyCommandSpec): {
  readonly usage: string;
  readonly args: Rows;
  readonly flags: Rows;
  readonly exits: Rows;
} {
  const own = Object.entries(spec.options);
  const flags = own.filter(([, option]) => !option.positional);
  return {
    usage: usageLine(spec),
    args: explainedArguments(spec),
    flags: flags.map(([key, option]) => [flagTerm(key, option).trim(), explained(option)]),
    exits: Object.entries(spec.exitCodes ?? {}),
  };
}

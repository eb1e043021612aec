import type { MissingChoice } from '../cli/parse.ts';
import { flagOf, valueName } from '../cli/flags.ts';
import { shellLine } from '../platform/shell-quoted.ts';
import type { Context, SearchChoice } from '../runtime/context.ts';

/** The command line with missing values. */
interface Incomplete {
  readonly choices: readonly MissingChoice[];
  readonly options: Readonly<Record<string, unknown>>;
  /** The arguments of `ucctl`, as typed. */
  readonly argv: readonly string[];
  readonly profiles: () => Promise<readonly SearchChoice[]>;
}

/**
 * Lets the user choose the missing values from lists, and prints the complete command, so that it can be typed or put
 * into a script.
 * @returns the options including the chosen values.
 */
export async function chooseMissing(
  ctx: Context,
  { choices, options, argv, profiles }: Incomplete,
): Promise<Readonly<Record<string, unknown>>> {
  const { chooseValue } = await import('./picker/choose.ts');
  const chosen: Record<string, unknown> = {};
  const words = [...argv];
  const extension = textOf(options['extension']);
  for (const { key, option, kind } of choices) {
    const placeholder = valueName(key, option).replace(/\W.*$/, '');
    const name = option.positional ? placeholder : `${flagOf(key)} ${placeholder}`;
    const queue = textOf(chosen['queue'] ?? options['queue']);
    const value = await chooseValue(ctx, { kind, name, extension, queue, profiles });
    chosen[key] = option.type === 'list' ? [value] : value;
    // Flags come before `--`, which makes all further words arguments.
    if (option.positional) words.push(value);
    else words.splice(words.includes('--') ? words.indexOf('--') : words.length, 0, flagOf(key), value);
  }
  ctx.out.note(`ucctl ${shellLine(words)}`);
  return { ...options, ...chosen };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

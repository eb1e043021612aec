import type { OptionSpec } from '../runtime/command-description.ts';

/** Flags whose optional value must be joined with `=`. */
export const joinedValueFlags: ReadonlySet<string> = new Set(['--json', '--debug']);

/** Returns the flag of an option key: `--base-url` for `baseUrl`. */
export function flagOf(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns the placeholder of a value in help. */
export function valueName(key: string, option: OptionSpec): string {
  if (option.value) return option.value;
  if (option.positional) return flagOf(key).slice(2).toUpperCase();
  if (option.type === 'integer') return 'N';
  if (option.type === 'duration') return 'TIME';
  return 'TEXT';
}

/** Returns the name of an argument or flag in messages. */
export function nameForPeople(key: string, option: OptionSpec): string {
  return option.positional ? valueName(key, option) : flagOf(key);
}

/** The known flags, and which of them take the next word as their value. */
export interface FlagTable {
  readonly names: readonly string[];
  takesValue(flag: string): boolean;
  /** Returns the value of a flag given without one; undefined if the flag always or never has a value. */
  alone(flag: string): string | undefined;
}

/** Returns the flags of several tables of options; positional options have none. */
export function flagTable(...tables: readonly Readonly<Record<string, OptionSpec>>[]): FlagTable {
  const valued = new Set<string>();
  const alone = new Map<string, string>();
  const names: string[] = [];
  for (const table of tables) {
    for (const [key, option] of Object.entries(table)) {
      if (option.positional) continue;
      const forms = [flagOf(key), ...(option.short ? [`-${option.short}`] : [])];
      names.push(flagOf(key));
      if (option.type === 'boolean' && option.negatable) names.push(flagOf(key).replace('--', '--no-'));
      if (option.type === 'string' && option.alone !== undefined) alone.set(flagOf(key), option.alone);
      else if (option.type !== 'boolean' && !joinedValueFlags.has(flagOf(key)))
        for (const form of forms) valued.add(form);
    }
  }
  return { names, takesValue: (flag) => valued.has(flag), alone: (flag) => alone.get(flag) };
}

import type { OptionSpec } from '../runtime/command-description.ts';

/** Flags whose value can only be joined to them by `=`. */
export const bareFlags: ReadonlySet<string> = new Set(['--json', '--debug']);

/** `baseUrl` is written `--base-url`. */
export function flagOf(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The word for a value in help. */
export function valueName(key: string, option: OptionSpec): string {
  if (option.value) return option.value;
  if (option.positional) return flagOf(key).slice(2).toUpperCase();
  if (option.type === 'integer') return 'N';
  if (option.type === 'duration') return 'TIME';
  return 'TEXT';
}

/** How a positional or a flag is called in a message. */
export function nameForPeople(key: string, option: OptionSpec): string {
  return option.positional ? valueName(key, option) : flagOf(key);
}

/** Which flags exist, and which of them take the next word as their value. */
export interface FlagTable {
  readonly names: readonly string[];
  takesValue(flag: string): boolean;
  /** The value of a flag that stands alone; undefined for one that always or never has a value. */
  alone(flag: string): string | undefined;
}

/** The flags of several tables of options; positional options have none. */
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
      else if (option.type !== 'boolean' && !bareFlags.has(flagOf(key)))
        for (const form of forms) valued.add(form);
    }
  }
  return { names, takesValue: (flag) => valued.has(flag), alone: (flag) => alone.get(flag) };
}

import { shellLine, shellWord } from '../platform/shell-quoted.ts';

/** A command of this program within a text for people. */
export interface CommandText {
  /** The words after `ucctl`, such as `queue list --members`, quoted for a shell. */
  readonly ucctl: string;
}

/** A next step for the user: a text, a command, or a text with commands in it. */
export type Hint = string | CommandText | readonly (string | CommandText)[];

/** A value in a command: one word, any number of words, or the words of another command. */
export type CommandValue = string | number | readonly (string | number)[] | CommandText;

/**
 * Returns a command in a hint: ucctl('queue list') or ucctl`queue show ${name}`. Values are quoted for a shell, because
 * they may come from a file or from the service. `hintText` adds the profile of the run, so that users can copy the command.
 * @param words the words after `ucctl`
 */
export function ucctl(words: string): CommandText;
export function ucctl(words: TemplateStringsArray, ...values: readonly CommandValue[]): CommandText;
export function ucctl(words: string | TemplateStringsArray, ...values: readonly CommandValue[]): CommandText {
  if (typeof words === 'string') return { ucctl: words };
  const [first = '', ...others] = words;
  const line = others.reduce((before, text, index) => {
    const word = commandWords(values[index] ?? []);
    return word === '' ? before.trimEnd() + text : before + word + text;
  }, first);
  return { ucctl: line.trim() };
}

/** Returns the words of a value as in a command line; '' for an empty list. */
function commandWords(value: CommandValue): string {
  if (typeof value === 'string') return shellWord(value);
  if (typeof value === 'number') return String(value);
  return 'ucctl' in value ? value.ucctl : shellLine(value.map(String));
}

/**
 * Returns a text with commands and other hints in it: nextStep`list them: ${ucctl('queue list')}`. Equal texts give equal hints, even if they are nested.
 */
export function nextStep(texts: TemplateStringsArray, ...values: readonly (Hint | number)[]): Hint {
  const parts = texts.flatMap((text, index) => {
    const value = values[index];
    return value === undefined ? [text] : [text, ...partsOf(value)];
  });
  return joined(parts);
}

/** Joins adjacent texts. */
function joined(parts: readonly (string | CommandText)[]): readonly (string | CommandText)[] {
  const all: (string | CommandText)[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (typeof part === 'string' && typeof last === 'string') all[all.length - 1] = last + part;
    else all.push(part);
  }
  return all;
}

/**
 * Returns the hint of a store error. The command of such an error is data, because the module of the error must not
 * import hints.
 */
export function storeHint({
  hint,
  command,
}: {
  readonly hint: string;
  readonly command: string | undefined;
}): Hint {
  return command === undefined ? hint : nextStep`${hint}: ${{ ucctl: command }}`;
}

/** Returns several commands to choose from: `ucctl queue list or ucctl queue show`. */
export function oneOf(commands: readonly CommandText[]): Hint {
  return commands.flatMap((command, index) => (index === 0 ? [command] : [' or ', command]));
}

/** Returns the texts and commands of one value in a hint. */
function partsOf(value: Hint | number): readonly (string | CommandText)[] {
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'string' || 'ucctl' in value ? [value] : value;
}

/** Commands that use no profile, or name the profile themselves. */
const withoutProfile: ReadonlySet<string> = new Set([
  'profile',
  'sandbox',
  'completion',
  'help',
  'schema',
  'init',
]);

/** Commands that take `-p` after their name. There it names the profile that the command changes or shows. */
const aboutProfile: ReadonlySet<string> = new Set(['login', 'logout', 'status']);

/** Returns the text of a hint. `profile` is the profile named with `-p`, which is added to the commands in the hint. */
export function hintText(value: Hint, profile?: string): string {
  return partsOf(value)
    .map((part) => (typeof part === 'string' ? part : commandText(part, profile)))
    .join('');
}

function commandText({ ucctl: words }: CommandText, profile: string | undefined): string {
  const [first = '', ...rest] = words.split(' ');
  if (profile === undefined || first.startsWith('-') || withoutProfile.has(first)) return `ucctl ${words}`;
  if (!aboutProfile.has(first)) return `ucctl -p ${shellWord(profile)} ${words}`;
  return rest[0] === '-p' ? `ucctl ${words}` : ['ucctl', first, '-p', shellWord(profile), ...rest].join(' ');
}

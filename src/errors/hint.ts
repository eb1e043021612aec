/** A command of this program within a text for people. */
export interface CommandText {
  /** The words after `ucctl`, such as `queue list --members`. */
  readonly ucctl: string;
}

/** A next step for the user: a text, a command, or a text with commands in it. */
export type Hint = string | CommandText | readonly (string | CommandText)[];

/**
 * A command in a hint. The profile of the run is added where the hint is shown (`hintText`), so that a command can be copied as it is.
 * @param words what follows `ucctl`.
 */
export function ucctl(words: string): CommandText {
  return { ucctl: words };
}

/** A text with commands and other hints in it: nextStep`list them: ${ucctl('queue list')}`. */
export function nextStep(texts: TemplateStringsArray, ...values: readonly (Hint | number)[]): Hint {
  return texts.flatMap((text, index) => {
    const value = values[index];
    return value === undefined ? [text] : [text, ...partsOf(value)];
  });
}

/** Several commands to choose from: `ucctl queue list or ucctl queue show`. */
export function oneOf(commands: readonly CommandText[]): Hint {
  return commands.flatMap((command, index) => (index === 0 ? [command] : [' or ', command]));
}

/** What a value of a hint consists of. */
function partsOf(value: Hint | number): readonly (string | CommandText)[] {
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'string' || 'ucctl' in value ? [value] : value;
}

/** Commands that are about no profile, or name theirs. */
const withoutProfile: ReadonlySet<string> = new Set([
  'profile',
  'sandbox',
  'completion',
  'help',
  'schema',
  'init',
]);

/** Commands that take `-p` behind their name: there it says which profile they are about. */
const aboutProfile: ReadonlySet<string> = new Set(['login', 'logout', 'status']);

/** The text of a hint. `profile` is the one that was named with `-p`: the commands get it, too. */
export function hintText(value: Hint, profile?: string): string {
  return partsOf(value)
    .map((part) => (typeof part === 'string' ? part : commandText(part, profile)))
    .join('');
}

function commandText({ ucctl: words }: CommandText, profile: string | undefined): string {
  const [first = '', ...rest] = words.split(' ');
  if (profile === undefined || first.startsWith('-') || withoutProfile.has(first)) return `ucctl ${words}`;
  if (!aboutProfile.has(first)) return `ucctl -p ${profile} ${words}`;
  return rest[0] === '-p' ? `ucctl ${words}` : ['ucctl', first, '-p', profile, ...rest].join(' ');
}

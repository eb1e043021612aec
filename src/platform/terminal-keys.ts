export const escape = '\u001B';
// A control sequence, or else one character.
const key = new RegExp(String.raw`${escape}(?:\[[0-9;?]*[ -/]*[@-~]|O[@-~])|[\s\S]`, 'gu');

/** Splits terminal input in raw mode into keys: characters, and control sequences such as those of the arrow keys. */
export function splitKeys(input: string): readonly string[] {
  return input.match(key) ?? [];
}

/** Whether a key types a character. */
export function isCharacter(text: string): boolean {
  return text.length <= 2 && text >= ' ';
}

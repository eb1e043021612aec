/** Words for a change that was made, by the action of the change. */
export const madeWords = {
  add: 'added',
  remove: 'removed',
  create: 'created',
  update: 'changed',
  set: 'changed',
} as const;

/** Returns the word for a change that was made; undefined for other actions. */
export function madeWord(action: string): string | undefined {
  return (madeWords as Readonly<Record<string, string | undefined>>)[action];
}

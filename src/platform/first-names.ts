/** Returns the first `most` names of a list, and the number of the others: `Sales (202), Support (201) and 248 more`. */
export function firstNames(names: readonly string[], most: number): string {
  const others = names.length - most;
  return `${names.slice(0, most).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/**
 * Returns the name of an extension with its number: `Dana Okafor (102)`; only one of them if the other one is empty.
 */
export function withNumber(name: string | undefined, number: string | undefined): string {
  if (!name || !number) return name || number || '';
  return `${name} (${number})`;
}

/**
 * Returns the name of an extension with its number: `Dana Okafor (102)`; only one of them if the other one is empty.
 */
export function withNumber(name: string | undefined, number: string | undefined): string {
  if (!name || !number) return name || number || '';
  return `${name} (${number})`;
}

/** An extension as far as texts name it. */
export interface Named {
  readonly id: string | number;
  /** Empty if the service sent no name. */
  readonly name: string;
  readonly extensionNumber?: string | undefined;
}

/** Returns the name of an extension with its number, or its ID if it has neither. */
export function titleOf({ id, name, extensionNumber }: Named): string {
  return withNumber(name, extensionNumber) || `ID ${id}`;
}

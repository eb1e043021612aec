import type { Choice } from '../runtime/context.ts';

/** Questions on a terminal. Each function resolves with the answer. */
export interface Questions {
  confirm(question: string): Promise<boolean>;
  text(question: string): Promise<string>;
  secret(question: string): Promise<string>;
  choose<V extends string>(question: string, choices: readonly Choice<V>[]): Promise<V>;
}

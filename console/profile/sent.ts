import { signal } from '@preact/signals';
import type { CopiedMessage } from '../../src/commands/console/types.ts';

/** A message that was sent, and that the local mailbox copy may lack. */
export interface SentMessage {
  readonly id: string;
  readonly text: string;
  /** Time in ISO 8601. */
  readonly at: string;
}

const storageKey = 'sent';

/** The sent messages of this browser tab, by the place of their conversation. They remain after a reload. */
const sent = signal<Readonly<Record<string, readonly SentMessage[]>>>(stored());

function stored(): Readonly<Record<string, readonly SentMessage[]>> {
  return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, SentMessage[]>;
}

/** Records a sent message. @param result what the command that sent it returned */
export function addSent(place: string, text: string, result: unknown): void {
  const { id } = (result ?? {}) as { readonly id?: unknown };
  if (typeof id !== 'string' && typeof id !== 'number') return;
  const message = { id: String(id), text, at: new Date().toISOString() };
  sent.value = { ...sent.peek(), [place]: [...(sent.peek()[place] ?? []), message] };
  sessionStorage.setItem(storageKey, JSON.stringify(sent.peek()));
}

/** The sent messages of a conversation that the copy does not contain yet, oldest first. */
export function uncopiedOf(place: string, copied: readonly CopiedMessage[]): readonly SentMessage[] {
  return (sent.value[place] ?? []).filter(({ id }) => copied.every((message) => message.id !== id));
}

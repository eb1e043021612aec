import type { Client } from '../client/index.ts';
import type { Context } from './context.ts';

/** Returns how to read the ID of the signed-in user's extension: from the session, or with one request. */
export function sessionOwner(
  { sender, signal }: Pick<Context, 'sender' | 'signal'>,
  api: Pick<Client, 'extensions'>,
): () => Promise<string> {
  let known: Promise<string> | undefined;
  const read = async (): Promise<string> => {
    const id = /^extension (.+)$/.exec(await sender())?.[1];
    return id ?? String((await api.extensions.get('~', { signal })).id);
  };
  return () => (known ??= read());
}

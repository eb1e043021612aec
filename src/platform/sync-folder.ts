import { open } from 'node:fs/promises';

/** Makes what was renamed or linked in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder for this; the rename is durable there without it.
  const handle = await open(folder, 'r').catch(() => undefined);
  if (!handle) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

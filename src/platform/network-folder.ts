import { statfs } from 'node:fs/promises';

/** File-system types (statfs on Linux) whose locks may not work between machines. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x564c, 'NCP'],
  [0x5346414f, 'AFS'],
]);

/** Returns the name of a network file system by its type; undefined for a local file system. */
export function networkFileSystem(type: number): string | undefined {
  return networkTypes.get(type >>> 0);
}

/** Returns a warning for a session lock on a network file system; undefined for a local or unknown file system. */
export async function networkFolderWarning(
  folder: string,
  typeOf: (folder: string) => Promise<number> = async (path) => (await statfs(path)).type,
): Promise<string | undefined> {
  const type = await typeOf(folder).catch(() => undefined);
  const name = type === undefined ? undefined : networkFileSystem(type);
  if (name === undefined) return undefined;
  return (
    `${folder} is on a network file system (${name}). File locks may not work between machines, so two machines could use the same refresh token. ` +
    'Set UCCTL_CONFIG_DIR to a local folder.'
  );
}

import { statfs } from 'node:fs/promises';

/**
 * File-system types (statfs on Linux) whose locks may not work between machines. FUSE is missing, because it also serves
 * local folders.
 */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x564c, 'NCP'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'CephFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
]);

/** Returns the name of a network file system by its type; undefined for a local file system. */
export function networkFileSystem(type: number): string | undefined {
  return networkTypes.get(type >>> 0);
}

/** Returns the type of the file system of a folder. */
export type FileSystemType = (folder: string) => Promise<number>;

const typeOnDisk: FileSystemType = async (folder) => (await statfs(folder)).type;

/** Returns the name of the network file system of a folder; undefined for a local or unknown file system. */
export async function networkFileSystemOf(
  folder: string,
  typeOf: FileSystemType = typeOnDisk,
): Promise<string | undefined> {
  const type = await typeOf(folder).catch(() => undefined);
  return type === undefined ? undefined : networkFileSystem(type);
}

/** Returns a warning for a session lock on a network file system; undefined for a local or unknown file system. */
export async function networkFolderWarning(
  folder: string,
  typeOf?: FileSystemType,
): Promise<string | undefined> {
  const name = await networkFileSystemOf(folder, typeOf);
  if (name === undefined) return undefined;
  return (
    `${folder} is on a network file system (${name}). File locks may not work between machines, so two machines could use the same refresh token. ` +
    'Set UCCTL_CONFIG_DIR to a local folder.'
  );
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Returns the digest of what a plan sends: the requests of its preview and the content of its files, which the requests show only
 * by name and size.
 * @param preview digest of the output of the preview
 * @param files paths of the files, relative to `cwd`; a file that cannot be read has an own digest
 */
export async function planDigest(preview: string, files: readonly string[], cwd: string): Promise<string> {
  const digests = await Promise.all(files.map((file) => fileDigest(resolve(cwd, file))));
  return createHash('sha256')
    .update([preview, ...digests].join('\n'))
    .digest('hex');
}

async function fileDigest(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(file)) hash.update(piece as Uint8Array);
  } catch {
    // The command itself reports a file that it cannot read.
    return 'unreadable';
  }
  return hash.digest('hex');
}

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Jq } from 'jq-wasm';

/**
 * The jq that comes with the program. In the bundle its WebAssembly lies packed beside it (scripts/build-static.ts): the install has a limit, and
 * unpacking takes 4 ms; the sources take the one of its package.
 */
export async function openJq(): Promise<Jq> {
  const here = dirname(fileURLToPath(import.meta.url));
  const [{ loadJq }, packed] = await Promise.all([
    import('jq-wasm'),
    readFile(join(here, 'build', 'jq.wasm.br')).catch(() => undefined),
  ]);
  if (packed === undefined) return loadJq();
  return loadJq({ wasmBinary: await promisify(brotliDecompress)(packed) });
}

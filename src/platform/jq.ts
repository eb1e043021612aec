import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Jq } from 'jq-wasm';

/**
 * Opens the bundled jq. The size of the package is limited, so the WebAssembly of jq is a compressed file next to the
 * bundle (scripts/build-static.ts). Decompressing it takes 4 ms. Without the bundle, jq comes from its npm package.
 */
export async function openJq(): Promise<Jq> {
  const here = dirname(fileURLToPath(import.meta.url));
  const [{ loadJq }, compressed] = await Promise.all([
    import('jq-wasm'),
    readFile(join(here, 'build', 'jq.wasm.br')).catch(() => undefined),
  ]);
  if (compressed === undefined) return loadJq();
  return loadJq({ wasmBinary: await promisify(brotliDecompress)(compressed) });
}

import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Jq } from 'jq-wasm';
import { readPackageFile } from './package-file.ts';

/**
 * Opens the bundled jq. To limit the size of the package, the WebAssembly of jq is a compressed file next to the bundle
 * (scripts/build-static.ts). Decompressing it takes 4 ms. Without a build, jq comes from its npm package.
 */
export async function openJq(): Promise<Jq> {
  const { loadJq } = await import('jq-wasm');
  const compressed = readPackageFile('cli/build/jq.wasm.br');
  if (compressed === undefined) return loadJq();
  return loadJq({ wasmBinary: await promisify(brotliDecompress)(compressed) });
}

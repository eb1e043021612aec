import { resolve } from 'node:path';
import { thirdPartyLicenses } from './scripts/third-party-licenses.mjs';
import { defineConfig, type Plugin, type RolldownOptions } from 'rolldown';

/**
 * HTTP/2 is never negotiated by this client; its implementation is half of undici's start-up cost
 * (docs/adr/0004-undici-deep-imports.md).
 */
const withoutHttp2: Plugin = {
  name: 'undici-without-http2',
  resolveId(source, importer) {
    if (source.endsWith('client-h2.js') && importer?.includes('undici')) {
      return resolve('src/client/undici-h2-stub.cjs');
    }
    return null;
  },
};

const shared: Pick<RolldownOptions, 'platform' | 'transform' | 'plugins'> = {
  platform: 'node',
  transform: { target: 'node20.19' },
  plugins: [withoutHttp2, thirdPartyLicenses()],
};
const natives = [/^node:/, '@napi-rs/keyring', '@photostructure/sqlite', 'jq-wasm'];

export default defineConfig([
  {
    ...shared,
    // Scripts that run in a process of their own need an input of their own: requiring a chunk of main would run main.
    input: { main: 'src/main.ts', 'keychain-child': 'src/auth/keychain-child.ts' },
    external: natives,
    preserveEntrySignatures: 'allow-extension',
    output: {
      dir: 'dist/cli',
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      exports: 'named',
      cleanDir: true,
      // Few files on the way to the first request: resolving and opening each costs more than parsing its lines.
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          {
            name: 'network',
            // Not what only few runs need: proxies, traces, shared budgets, unpacking.
            test: /src\/(client\/(?!trace|network|shared-budget|gunzip)|compose)|node_modules\/undici\/(?!lib\/dispatcher\/(proxy|socks5))/,
          },
          {
            name: 'run',
            test: /src\/(config|platform|runtime|contract\/dialects|output\/(json|fields|cell|delimited))|src\/cli\/(parse|option-values)|node_modules\/commander/,
          },
        ],
      },
    },
  },
  {
    ...shared,
    input: { client: 'src/client/index.ts', sandbox: 'src/sandbox/index.ts' },
    external: [...natives, 'zod'],
    output: { dir: 'dist/lib', format: 'esm', cleanDir: true },
  },
]);

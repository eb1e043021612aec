import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { startProcess, type Ended } from './process.ts';

/** The real src/main.ts, built with the example commands instead of those of the tool. */
export interface ExampleProgram {
  readonly main: string;
  /** Packages whose code is bundled into these files. */
  packagesIn(files: readonly string[]): readonly string[];
  remove(): Promise<void>;
}

export async function buildExampleProgram(): Promise<ExampleProgram> {
  const directory = await mkdtemp(join(tmpdir(), 'ucctl-example-'));
  const bundle = await rolldown({
    input: { main: 'src/main.ts' },
    platform: 'node',
    transform: { target: 'node20.19' },
    external: [/^node:/, '@napi-rs/keyring', '@photostructure/sqlite'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'example-registry',
        resolveId: (source) =>
          source.endsWith('cli/registry.ts') || source === './registry.ts'
            ? resolve('test/support/example-registry.ts')
            : null,
      },
    ],
  });
  const { output } = await bundle.write({
    dir: directory,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
  });
  await bundle.close();
  return {
    main: join(directory, 'main.cjs'),
    packagesIn(files) {
      const modules = output.flatMap((chunk) =>
        chunk.type === 'chunk' && files.includes(join(directory, chunk.fileName)) ? chunk.moduleIds : [],
      );
      const names = modules.map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]);
      return [...new Set(names.filter((name) => name !== undefined))];
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Runs a Node program as a separate process; `meanwhile` may interact with it. */
export async function spawnNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  meanwhile?: (child: ChildProcess, stderr: () => string) => void,
): Promise<Ended> {
  const { child, ended } = startProcess(process.execPath, args, { env: { HOME: '/nonexistent', ...env } });
  let stderr = '';
  child.stderr.on('data', (piece: string) => {
    stderr += piece;
    meanwhile?.(child, () => stderr);
  });
  return ended;
}

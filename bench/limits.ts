import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { withoutUndiciParts } from '../rolldown.config.ts';
import { pairedCpuRatio, type Command } from './measure.ts';
import type { Limit } from './report.ts';

/** The same request as that of `ucctl queue list`. */
export const listPath = '/restapi/v1.0/account/~/extension?type=Department&page=1&perPage=1000';

interface Service {
  readonly url: string;
  readonly token: string;
}

/** A minimal program that sends the request of `queue list` with node:http and prints the reply. */
export function bareHttp({ url, token }: Service): Command['argv'] {
  return ['node', 'bench/bare-request.cjs', 'http', url + listPath, token];
}

/**
 * The same program with the parts of undici that ucctl bundles, and with cached code.
 * @param folder gets the bundle and the cached code; belongs to the user.
 */
export async function bareUndici({ url, token }: Service, folder: string): Promise<Command['argv']> {
  chmodSync(folder, 0o700);
  await bundleUndici(folder);
  return ['node', 'bench/bare-request.cjs', 'undici', url + listPath, token, folder];
}

/** Bundles bare-undici.cjs as the build bundles undici, and returns the path of the bundle. */
export async function bundleUndici(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: 'bench/bare-undici.cjs',
    platform: 'node',
    external: [/^node:/],
    plugins: [withoutUndiciParts],
  });
  const file = join(folder, 'bare-undici.cjs');
  await bundle.write({ file, format: 'cjs', codeSplitting: false, minify: true });
  await bundle.close();
  return file;
}

/** Processor time of a minimal program relative to another command, paired in one run. */
export function cpuLimit(name: string, of: Command, to: Command, rounds: number): Limit {
  const { median, min, max, noise } = pairedCpuRatio(of, to, rounds).ratio;
  return { name, value: median, min, max, noise, unit: 'x', isLimit: true };
}

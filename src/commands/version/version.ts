import { ownProcess } from '../../platform/own-process.ts';
import type { Context } from '../../runtime/context.ts';
import { latestVersion } from './latest-version.ts';
import { versionRows, type VersionRow } from './version.rows.ts';

export interface VersionOptions {
  readonly check?: boolean;
}

/**
 * `version`: writes the plain version for people, or an object in the structured formats. `--check` compares the
 * version with the registry.
 */
export async function showVersion(ctx: Context, { check = false }: VersionOptions): Promise<void> {
  const { out, version } = ctx;
  const latest = check ? await latestVersion(ctx) : undefined;
  if (out.format === 'table' || out.format === 'tsv') await out.text(`${version}\n`);
  else {
    await out.record<VersionRow>(
      {
        version,
        ...(latest !== undefined && { latest, isLatest: !isNewer(latest, version) }),
        installation: ownProcess.packedFiles() ? 'executable' : 'package',
        node: ownProcess.nodeVersion,
        platform: ownProcess.platform,
      },
      versionRows.record,
    );
  }
  if (latest === undefined) return;
  out.note(
    isNewer(latest, version)
      ? `Version ${latest} is available. Update ucctl with the tool that you used to install it, for example: npm install --global ucctl`
      : 'This is the latest version.',
  );
}

/**
 * Returns whether a version is higher than another version. Both have the form `1.2.3`; a suffix such as `-beta.1` is
 * ignored.
 */
function isNewer(version: string, than: string): boolean {
  const numbers = (text: string): readonly number[] => text.split(/[-+]/)[0]?.split('.').map(Number) ?? [];
  const [first, second] = [numbers(version), numbers(than)];
  const different = first.findIndex((number, at) => number !== second[at]);
  return different !== -1 && (first[different] ?? 0) > (second[different] ?? 0);
}

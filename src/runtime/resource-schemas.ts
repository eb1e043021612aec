import { CommandError, Exit } from '../errors/command.ts';
import { readPackageFile } from '../platform/package-file.ts';
import type { Schema } from './output-schema.ts';

/**
 * Returns the schemas of the resources by name. The build generates them from the contract (scripts/build-static.ts).
 * When ucctl runs from its sources, it uses the schemas of the last build.
 */
export function readResourceSchemas(): Readonly<Record<string, Schema>> {
  const content = readPackageFile('schema/resources.json');
  if (content) return JSON.parse(Buffer.from(content).toString('utf8')) as Readonly<Record<string, Schema>>;
  throw new CommandError(
    'incomplete_install',
    Exit.local,
    'the schemas of the resources are missing from this installation',
    { hint: 'reinstall ucctl; in a checkout, run: npm run build' },
  );
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addonFolder, nodeFolder } from './executable.ts';
import { targetOf } from './targets.ts';

/**
 * The licenses of everything that the single executable contains: ucctl, the bundled packages, Node and the keychain
 * addon. Debian package and image contain the same text.
 * @param name a name in `targets`
 */
export function licensesOf(name: string): string {
  const target = targetOf(name);
  const addon = addonFolder(target);
  const files: readonly (readonly [title: string, ...paths: string[]])[] = [
    ['ucctl', 'LICENSE'],
    ['The packages in the program', 'dist/cli/THIRD-PARTY-LICENSES.txt'],
    ['The packages in the web pages', 'dist/console/THIRD-PARTY-LICENSES.txt'],
    ['Node', join(nodeFolder(target), 'LICENSE')],
    [
      'The keychain addon',
      'node_modules/@napi-rs/keyring/LICENSE',
      ...readdirSync(addon)
        .filter((file) => file.startsWith('LICENSE'))
        .map((file) => join(addon, file)),
    ],
  ];
  const line = '='.repeat(80);
  return files
    .map(([title, ...paths]) => {
      const texts = paths.map((path) => readFileSync(path, 'utf8').trim());
      return `${line}\n${title}\n${line}\n\n${texts.join('\n\n')}\n`;
    })
    .join('\n');
}

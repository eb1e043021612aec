import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Rolldown plugin: writes the licence texts of every package that ended up in the bundle beside it.
 * @returns {import('rolldown').Plugin}
 */
export function thirdPartyLicenses() {
  return {
    name: 'third-party-licenses',
    generateBundle(_options, bundle) {
      const folders = new Set();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const id of chunk.moduleIds) {
          const match = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)/.exec(id.replace(/^\0/, ''));
          if (match?.[1]) folders.add(match[1]);
        }
      }
      const texts = [...folders].map(describe).toSorted();
      this.emitFile({
        type: 'asset',
        fileName: 'THIRD-PARTY-LICENSES.txt',
        source: texts.join(`\n${'-'.repeat(80)}\n\n`),
      });
    },
  };
}

/** @param {string} folder */
function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = existsSync(folder)
    ? readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    : undefined;
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
}

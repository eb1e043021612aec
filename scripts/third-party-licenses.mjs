import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Rolldown plugin: writes the license texts of every package that is part of the bundle, and a list of their names and versions, next to
 * the bundle.
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
      this.emitFile({
        type: 'asset',
        fileName: 'third-party.json',
        source: JSON.stringify([...folders].map(packageId).toSorted()),
      });
      const texts = [...folders].map(describe).toSorted();
      this.emitFile({
        type: 'asset',
        fileName: 'THIRD-PARTY-LICENSES.txt',
        source: texts.join(`\n${'-'.repeat(80)}\n\n`),
      });
    },
  };
}

/**
 * Name and version, as in the bill of materials (scripts/release/bill-of-materials.ts).
 * @param {string} folder
 */
function packageId(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}

/** @param {string} folder */
function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = legalFiles(folder).map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const text = texts.length > 0 ? texts.join('\n\n') : `Licence: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
}

/**
 * Texts of the license, of notices, and of the licenses of code that the package includes.
 * @param {string} folder
 */
function legalFiles(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const isLegal = (/** @type {string} */ name) => /^(licen[cs]e|notice)/i.test(name);
  const own = entries.filter((entry) => entry.isFile() && isLegal(entry.name)).map(({ name }) => name);
  const others = entries.some((entry) => entry.isDirectory() && /^licen[cs]es$/i.test(entry.name))
    ? readdirSync(join(folder, 'licenses')).map((name) => join('licenses', name))
    : [];
  return [...own.toSorted(), ...others.toSorted()];
}

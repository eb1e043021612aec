// Creates the files of a release. Usage: npm run release [-- PART...] [--target PLATFORM] [--dir FOLDER] [--level N];
// without parts, all of them. A lower level of compression makes larger packages in less time.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, stdout, umask } from 'node:process';
import { parseArgs } from 'node:util';
import { version } from '../package.json';
import { billOfMaterials } from './release/bill-of-materials.ts';
import { makeDebianPackage } from './release/debian.ts';
import { addonFile, makeExecutable, nodeBinary } from './release/executable.ts';
import { makeImage } from './release/image.ts';
import { licensesOf } from './release/licenses.ts';
import { librariesOf, packagesOf, type SystemPackage } from './release/system-libraries.ts';
import { ownTarget, targetOf } from './release/targets.ts';

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    target: { type: 'string', default: ownTarget },
    dir: { type: 'string', default: 'release' },
    level: { type: 'string', default: '9' },
  },
});
const { target, dir, level } = values;
// The modes of packed files must not depend on the account that builds the packages.
umask(0o022);
const maintainer = 'ucctl maintainers <maintainers@ucctl.invalid>';
const commitTime = Number(execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }));
const nameOf = (end: string): string => join(dir, `ucctl-${version}${end}`);
const executable = nameOf(`-${target}${target.startsWith('win') ? '.exe' : ''}`);

let isExecutableMade = false;

/** An executable of an earlier build may have other content. */
async function makeExecutableOnce(): Promise<void> {
  if (isExecutableMade) return;
  await makeExecutable({ target, file: executable });
  isExecutableMade = true;
}

/** The system libraries of the image, which only this platform has. */
function librariesOfImage(): readonly SystemPackage[] {
  if (target !== 'linux-x64') return [];
  return packagesOf(librariesOf(nodeBinary(targetOf(target)), addonFile(targetOf(target))));
}

/** Each part with the file that it creates. */
const parts: Readonly<Record<string, () => Promise<string>>> = {
  async npm() {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', dir], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return nameOf('.tgz');
  },
  async executable() {
    await makeExecutableOnce();
    return executable;
  },
  async licenses() {
    const file = nameOf(`-${target}-licenses.txt`);
    writeFileSync(file, licensesOf(target));
    return file;
  },
  async bom() {
    const file = nameOf('.cdx.json');
    writeFileSync(file, billOfMaterials(new Date(commitTime * 1000).toISOString(), librariesOfImage()));
    return file;
  },
  async deb() {
    await makeExecutableOnce();
    const file = join(dir, `ucctl_${version}_amd64.deb`);
    const licenses = licensesOf(target);
    makeDebianPackage({
      executable,
      licenses,
      version,
      maintainer,
      time: commitTime,
      file,
      // dpkg-deb reads 0 as the default level.
      level: Math.max(1, Number(level)),
    });
    return file;
  },
  async image() {
    await makeExecutableOnce();
    const file = nameOf('-image.tar');
    const addon = addonFile(targetOf(target));
    const licenses = licensesOf(target);
    makeImage({
      executable,
      addon,
      licenses,
      version,
      time: commitTime,
      file,
      level: Math.min(Number(level), 9),
    });
    return file;
  },
};

const unknown = positionals.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0)
  throw new Error(`unknown part "${unknown.join(' ')}"; parts: ${Object.keys(parts).join(', ')}`);
mkdirSync(dir, { recursive: true });
for (const [name, make] of Object.entries(parts)) {
  // Debian package and image contain the executable for 64-bit Linux.
  const isPossible = target === 'linux-x64' || (name !== 'deb' && name !== 'image');
  const isChosen = positionals.length === 0 ? isPossible : positionals.includes(name);
  if (isChosen) stdout.write(`${await make()}\n`);
}
const sums = readdirSync(dir)
  .filter((file) => file.startsWith('ucctl'))
  .toSorted()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(dir, file)))
        .digest('hex')}  ${file}\n`,
  );
writeFileSync(join(dir, 'SHA256SUMS'), sums.join(''));
stdout.write(`${join(dir, 'SHA256SUMS')}\n`);

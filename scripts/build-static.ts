import { writeFileSync } from 'node:fs';
import { version } from '../package.json';
import { rootHelp } from '../src/cli/help.ts';
import { loadAll } from '../src/cli/load-nouns.ts';
import { registry } from '../src/cli/registry.ts';

// The texts that bin/ucctl.cjs answers with, without loading the program.
writeFileSync('dist/cli/help.txt', rootHelp(await loadAll(registry), 80));
writeFileSync('dist/cli/version.txt', `${version}\n`);

import { writeFileSync } from 'node:fs';
import { version } from '../package.json';
import { rootHelp } from '../src/cli/help.ts';
import { loadAll } from '../src/cli/load-nouns.ts';
import { registry } from '../src/cli/registry.ts';
import { completionTable } from '../src/completion/table.ts';

// The texts that bin/ucctl.cjs answers with, without loading the program.
const nouns = await loadAll(registry);
writeFileSync('dist/cli/help.txt', rootHelp(nouns, 80));
writeFileSync('dist/completion/table.json', JSON.stringify(completionTable(nouns)));
writeFileSync('dist/cli/version.txt', `${version}\n`);

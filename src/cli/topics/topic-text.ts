import { globalGroups } from '../global-options.ts';
import { flagLines } from '../help-parts.ts';
import { definitions, wrap } from '../wrap.ts';
import { bulk } from './bulk.ts';
import { defaultFolders, environment } from './environment.ts';
import { exitCodes } from './exit-codes.ts';
import { formatting } from './formatting.ts';
import { permissionRows, permissions } from './permissions.ts';
import { privacy } from './privacy.ts';
import { rateLimits } from './rate-limits.ts';
import { sandbox } from './sandbox.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** Returns the text of a topic at a width; undefined if the name is unknown. */
export function topicText(name: string, width: number): string | undefined {
  return pages[name]?.(width);
}

const pages: Readonly<Record<string, (width: number) => string>> = lookupTable({
  flags: (width) => {
    const groups = Object.entries(globalGroups);
    return page(
      'Global flags',
      groups.map(([name, table]) => `${name}:\n${flagLines(table, width)}`).join('\n\n'),
    );
  },
  'exit-codes': (width) => page('Exit codes', definitions(exitCodes, width)),
  environment: (width) => {
    const precedence =
      'A flag overrides a variable, a variable overrides the profile, and the profile overrides the default.';
    const folders = 'Folders for configuration, state, cache and data if no UCCTL_..._DIR variable is set:';
    const parts = [
      wrap(precedence, width).join('\n'),
      definitions(environment, width),
      wrap(folders, width).join('\n'),
      definitions(defaultFolders, width),
    ];
    return page('Environment variables', parts.join('\n\n'));
  },
  formatting: (width) => page('Output formats', paragraphs(formatting, width)),
  bulk: (width) => page('Bulk runs', paragraphs(bulk, width)),
  permissions: (width) =>
    page('Permissions', `${paragraphs(permissions, width)}\n\n${definitions(permissionRows, width)}`),
  'rate-limits': (width) => page('Rate limits', paragraphs(rateLimits, width)),
  sandbox: (width) => page('Sandbox', paragraphs(sandbox, width)),
  privacy: (width) => page('Privacy', paragraphs(privacy, width)),
});

function page(title: string, body: string): string {
  return `${title}\n\n${body}\n`;
}

/** Wraps paragraphs again, but not the lines of examples and definitions. */
function paragraphs(text: string, width: number): string {
  return text
    .split('\n\n')
    .map((block) => {
      if (block.startsWith('$ ')) return `  ${block}`;
      const lines = block.split('\n').map((line) => /^(\S+(?: \S+)*) {2,}(.*)$/.exec(line));
      if (lines.every((line) => line !== null)) {
        return definitions(
          lines.map((line) => [line[1] ?? '', line[2] ?? ''] as const),
          width,
        );
      }
      return wrap(block.replaceAll('\n', ' '), width).join('\n');
    })
    .join('\n\n');
}

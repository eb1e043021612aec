import { definitions, wrap } from '../wrap.ts';
import { bulk } from './bulk.ts';
import { environment } from './environment.ts';
import { exitCodes } from './exit-codes.ts';
import { formatting } from './formatting.ts';
import { permissionRows, permissions } from './permissions.ts';
import { privacy } from './privacy.ts';
import { rateLimits } from './rate-limits.ts';
import { sandbox } from './sandbox.ts';

/** The text of a topic at a width; undefined when there is none of that name. */
export function topicText(name: string, width: number): string | undefined {
  return pages[name]?.(width);
}

const pages: Readonly<Record<string, (width: number) => string>> = {
  'exit-codes': (width) => page('Exit codes', definitions(exitCodes, width)),
  environment: (width) => {
    const order = 'A flag wins over a variable, a variable over the profile, the profile over the default.';
    return page(
      'Environment variables',
      `${wrap(order, width).join('\n')}\n\n${definitions(environment, width)}`,
    );
  },
  formatting: (width) => page('Output', paragraphs(formatting, width)),
  bulk: (width) => page('Bulk', paragraphs(bulk, width)),
  permissions: (width) =>
    page('Permissions', `${paragraphs(permissions, width)}\n\n${definitions(permissionRows, width)}`),
  'rate-limits': (width) => page('Rate limits', paragraphs(rateLimits, width)),
  sandbox: (width) => page('The sandbox', paragraphs(sandbox, width)),
  privacy: (width) => page('Privacy', paragraphs(privacy, width)),
};

function page(title: string, body: string): string {
  return `${title}\n\n${body}\n`;
}

/** Paragraphs are rewrapped; blocks of examples and of definitions keep their lines. */
function paragraphs(text: string, width: number): string {
  return text
    .split('\n\n')
    .map((block) => {
      if (block.startsWith('$ ')) return `  ${block}`;
      const lines = block.split('\n').map((line) => /^(\S+(?: [A-Z]+)?) {2,}(.*)$/.exec(line));
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

import { definitions, wrap } from '../wrap.ts';
import { environment } from './environment.ts';
import { exitCodes } from './exit-codes.ts';
import { formatting } from './formatting.ts';

/** The text of a topic at a width; undefined when there is none of that name. */
export function topicText(name: string, width: number): string | undefined {
  if (name === 'exit-codes') return page('Exit codes', definitions(exitCodes, width));
  if (name === 'environment') {
    const order = 'A flag wins over a variable, a variable over the profile, the profile over the default.';
    return page(
      'Environment variables',
      `${wrap(order, width).join('\n')}\n\n${definitions(environment, width)}`,
    );
  }
  if (name === 'formatting') return page('Output', paragraphs(formatting, width));
  return undefined;
}

function page(title: string, body: string): string {
  return `${title}\n\n${body}\n`;
}

/** Paragraphs are rewrapped; blocks of examples and of definitions keep their lines. */
function paragraphs(text: string, width: number): string {
  return text
    .split('\n\n')
    .map((block) => {
      if (block.startsWith('$ ')) return `  ${block}`;
      const lines = block.split('\n').map((line) => /^(\w+) {2,}(.*)$/.exec(line));
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

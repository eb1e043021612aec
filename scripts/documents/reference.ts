import { commandHelpParts } from './command-parts.ts';
import { fieldsOf, type NounSpec } from '../../src/runtime/define.ts';

/** docs/reference: a page for each noun, and a list of them, by file name. */
export function referencePages(nouns: readonly NounSpec[]): ReadonlyMap<string, string> {
  return new Map([
    ['README.md', indexPage(nouns)],
    ...nouns.map((noun) => [`${noun.name}.md`, nounPage(noun)] as const),
  ]);
}

function indexPage(nouns: readonly NounSpec[]): string {
  const rows = nouns.flatMap((noun) =>
    noun.commands.map(
      ({ path, summary }) =>
        `| [\`${path.join(' ')}\`](${noun.name}.md#${anchor(path)}) | ${cell(summary)} |`,
    ),
  );
  return page([
    '# Commands',
    'Made by `node scripts/run.mjs documents`; a test compares. Flags of every command, and topics: `ucctl --help`.',
    ['| Command | What it does |', '|---|---|', ...rows].join('\n'),
  ]);
}

function nounPage(noun: NounSpec): string {
  return page([
    `# ucctl ${noun.name}`,
    `${noun.summary}. Made by \`node scripts/run.mjs documents\`; a test compares.`,
    ...noun.commands.flatMap((spec) => {
      const { usage, args, flags, exits } = commandHelpParts(spec);
      return [
        `## ${spec.path.join(' ')}`,
        `${spec.summary}.`,
        spec.description ?? '',
        `\`\`\`text\n${usage}\n\`\`\``,
        table('Argument', args),
        table('Flag', flags),
        spec.examples.map(({ comment, command }) => `- ${cell(comment)}: \`${command}\``).join('\n'),
        facts(spec.permissions, 'Permissions'),
        spec.rateGroup ? `Usage group: ${spec.rateGroup}` : '',
        facts(fieldsOf(spec), 'JSON fields'),
        table('Exit', exits),
      ];
    }),
  ]);
}

function facts(names: readonly string[] | undefined, title: string): string {
  return names && names.length > 0 ? `${title}: ${names.map((name) => `\`${name}\``).join(', ')}` : '';
}

function table(title: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(([term, text]) => `| \`${cell(term)}\` | ${cell(text)} |`);
  return [`| ${title} | |`, '|---|---|', ...lines].join('\n');
}

/** Signs that would end a cell, or be taken for markup. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function anchor(path: readonly string[]): string {
  return path.join('-');
}

function page(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

import { readFileSync } from 'node:fs';
import { parseSync, Visitor, type ESTree } from 'rolldown/utils';
import { expect, it } from 'vitest';
import { sourceFiles } from './import-cycles.ts';

/** A value that is not quoted for a shell, or only by literal apostrophes or quotation marks. */
const value = String.raw`['"]?\$\{(?![^}]*\bshell[A-Z])[^}]*\}['"]?`;

/** Values that are never outside text: numbers, and words that ucctl defines. */
const ownWords =
  /\$\{(?:flow|owner|run\.id|minutes|seconds|limits\.max|name|needed|changed|group|protocol|(?:ctx\.out\.)?format|named\.join\(','\))\}/;

const unquoted = [
  /** A command of a shell, or an option with a file. */
  String.raw`(?:\b(?:rm|mv|cp|chmod [-+\w]+|chown \w+)|(?:apply|plan|diff|send) -f|--file) ${value}`,
  /** A command with the name of a profile. */
  String.raw`\bucctl(?: [a-z]+)? -p ${value}`,
  /** An option in a next step, such as `use --sheet NAME`. In other texts, the option is part of a sentence. */
  String.raw`(?:\b(?:use|add|with|to)|:) (?:at most )?-{1,2}[a-z][a-z-]*:?[ =]${value}`,
  /** A value in quotation marks, in which a shell replaces variables and commands. */
  String.raw`--[a-z][a-z-]*[ =]"\$\{(?![^}]*\bshell[A-Z])[^}]*\}(?!" is not)`,
].map((pattern) => new RegExp(pattern, 'g'));

/** Returns the commands of a source whose values a shell would change. */
function unquotedValues(source: string): readonly string[] {
  const found: string[] = [];
  // The template tag `ucctl` quotes its values.
  const quoted = new Set<number>();
  const textOf = ({ start, end }: ESTree.Node): string => source.slice(start, end);
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (textOf(tag) === 'ucctl') quoted.add(quasi.start);
    },
    TemplateLiteral({ start, quasis, expressions }) {
      if (quoted.has(start)) return;
      const text = quasis
        .map(({ value: { raw } }, index) => {
          const expression = expressions[index];
          // Braces in an expression would end the value too early.
          return expression ? `${raw}\${${textOf(expression).replaceAll(/[{}]/g, '')}}` : raw;
        })
        .join('');
      for (const pattern of unquoted)
        found.push(...(text.match(pattern) ?? []).filter((match) => !ownWords.test(match)));
    },
    CallExpression({ callee, arguments: [words] }) {
      if (textOf(callee) === 'ucctl' && words && !isFixed(words)) found.push(`ucctl(${textOf(words)})`);
    },
  }).visit(parseSync('x.ts', source).program);
  return found;
}

function isFixed(node: ESTree.Node): boolean {
  if (node.type === 'ConditionalExpression') return isFixed(node.consequent) && isFixed(node.alternate);
  return node.type === 'Literal';
}

it('commands in texts quote their values with the tag ucctl, shellWord or shellQuoted', () => {
  const found = sourceFiles('src').flatMap((file) =>
    unquotedValues(readFileSync(file, 'utf8')).map((command) => `${file}: ${command}`),
  );
  expect(found).toEqual([]);
});

it.each([
  ["`delete it: rm '${file}'`", ["rm '${file}'"]],
  ['`run chmod go-w ${path}`', ['chmod go-w ${path}']],
  ['`delete it: rm ${shellQuoted(file)}`', []],
  ['`apply -f ${planOut}`', ['apply -f ${planOut}']],
  ['ucctl`queue apply -f ${planOut}`', []],
  ['ucctl(`queue show ${name}`)', ['ucctl(`queue show ${name}`)']],
  ["ucctl(['queue', name].join(' '))", ["ucctl(['queue', name].join(' '))"]],
  ["ucctl(isFull ? 'sync --full' : 'sync')", []],
  ['`sign in again: ucctl login -p ${profile}`', ['ucctl login -p ${profile}']],
  ['`to use another heading: --map ${pair}`', [': --map ${pair}']],
  ['`to use another heading: --map ${shellWord(`${heading}=queue`)}`', []],
  ['`choose --map "${first.heading}=${name}"`', ['--map "${first.heading}']],
  ['`use --sheet: ${others.map(shellWord).join()}`', []],
  ['`use --sheet: ${names}`', ['use --sheet: ${names}']],
  ['`increase the limit: --wait-timeout ${minutes}m`', []],
  ['`--username "${name}" is not a valid number`', []],
  ['`the form ${name}`', []],
])('finds the values in %s', (source, found) => {
  expect(unquotedValues(source)).toEqual(found);
});

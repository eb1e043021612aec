import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

/** Functions that wait with a limit of 1000 ms by default, and settings that replace the limits of the suite. */
const waits = new Set(['vi.waitFor', 'vi.waitUntil', 'vi.setConfig', 'expect.poll']);
const registrars = new Set([
  'it',
  'test',
  'describe',
  'beforeAll',
  'beforeEach',
  'afterAll',
  'afterEach',
  'onTestFinished',
  'onTestFailed',
]);

/** Modifiers that may occur between the name of a registrar and its title. */
const plainModifiers = new Set(['only', 'skip', 'fails', 'concurrent', 'sequential']);

/** Files in which a wall time limits a wait or is printed, and is not asserted. */
const owners = new Set([
  'test/support/eventually.ts',
  'test/support/process.ts',
  'test/support/secret-service.ts',
]);

/** Waits, time limits and measured times of a test file that do not come from test/support, one line each. */
export function waitViolations(file: string, source: string): readonly string[] {
  if (owners.has(file)) return [];
  const found: string[] = [];
  const report = ({ start }: { readonly start: number }, problem: string): void => {
    found.push(`${file}:${source.slice(0, start).split('\n').length} ${problem}`);
  };
  new Visitor({
    CallExpression(call) {
      const name = nameOf(call.callee);
      if (waits.has(name)) report(call, `waits by ${name}`);
      if (isRegistrar(call.callee) && hasLimit(call.arguments)) report(call, 'has a limit of its own');
      if (name === 'performance.now' || name.startsWith('process.hrtime'))
        report(call, 'measures a wall time');
      if (name === 'expect' && call.arguments.some((value) => nameOf(value).endsWith('.milliseconds')))
        report(call, 'asserts a wall time');
    },
    BinaryExpression({ start, operator, left, right }) {
      const isDifference = operator === '-' && left.type === 'CallExpression' && right.type === 'Identifier';
      if (isDifference && nameOf(left.callee) === 'Date.now') report({ start }, 'measures a wall time');
    },
  }).visit(parseSync(file, source).program);
  return found;
}

/** Whether a test, suite or hook gets a number, or a `timeout` among its options. */
function hasLimit(given: readonly ESTree.Argument[]): boolean {
  const body = given.findIndex(({ type }) => /^(Arrow)?Function/.test(type));
  return given.some(
    (value, at) =>
      (value.type === 'Literal' && typeof value.value === 'number') ||
      (body >= 0 && at > body) ||
      (value.type === 'ObjectExpression' && value.properties.some(isTimeout)),
  );
}

function isTimeout(property: ESTree.ObjectPropertyKind): boolean {
  return (
    property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === 'timeout'
  );
}

/** `a.b` for a path of names; the empty string for anything else. */
function nameOf(node: ESTree.Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return '';
  return `${nameOf(node.object)}.${node.property.name}`;
}

/** Whether a callee takes a title and a body, as `it`, `it.only` and `it.skipIf(missing).each(rows)` do, and `it.each` does not. */
function isRegistrar(callee: ESTree.Node): boolean {
  if (callee.type === 'CallExpression') return registrars.has(rootOf(callee));
  const [root = '', ...modifiers] = nameOf(callee).split('.');
  return registrars.has(root) && modifiers.every((word) => plainModifiers.has(word));
}

/** The name that a callee begins with, as `it` of `it.skipIf(missing).each(rows)`. */
function rootOf(node: ESTree.Node): string {
  if (node.type === 'MemberExpression') return rootOf(node.object);
  if (node.type === 'CallExpression') return rootOf(node.callee);
  return node.type === 'Identifier' ? node.name : '';
}

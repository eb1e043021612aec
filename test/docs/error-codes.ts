import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

/** Source text by file name. */
export type Sources = ReadonlyMap<string, string>;

/** Error codes by the first place that names them, and code expressions whose value cannot be read from the source. */
export interface ErrorCodes {
  readonly codes: ReadonlyMap<string, string>;
  readonly unreadable: readonly string[];
}

interface CodeParameter {
  readonly index: number;
}

const codePattern = /^[a-z][a-z_]*$/;

/**
 * The error codes of ucctl's own in the sources. A code is the value of a property, a variable or a class field named `code`, the
 * argument for a parameter named `code` of a function, class or error, or a result of a function `codeOf`.
 */
export function errorCodes(sources: Sources): ErrorCodes {
  const programs = [...sources].map(([file, source]) => ({
    file,
    source,
    program: parseSync(file, source).program,
  }));
  const parameters = new Map<string, CodeParameter>();
  for (const { program } of programs) addCodeParameters(program, parameters);
  const codes = new Map<string, string>();
  const unreadable: string[] = [];
  for (const { file, source, program } of programs) {
    visitCodes(program, parameters, (node, mustBeReadable) => {
      for (const leaf of leavesOf(node)) {
        if (leaf.type === 'Literal') {
          if (typeof leaf.value === 'string' && codePattern.test(leaf.value) && !codes.has(leaf.value))
            codes.set(leaf.value, file);
        } else if (mustBeReadable && !isForwarded(leaf))
          unreadable.push(`${file}: ${source.slice(leaf.start, leaf.end)}`);
      }
    });
  }
  return { codes, unreadable };
}

/** The functions and classes with a parameter `code`, by name. A class without a constructor of its own takes that of its superclass. */
function addCodeParameters(program: ESTree.Program, parameters: Map<string, CodeParameter>): void {
  const add = (name: string | undefined, params: readonly ESTree.Node[]): void => {
    const index = params.findIndex((param) => param.type === 'Identifier' && param.name === 'code');
    if (name !== undefined && index !== -1) parameters.set(name, { index });
  };
  new Visitor({
    FunctionDeclaration: ({ id, params }) => add(id?.name, params),
    ClassDeclaration({ id, body }) {
      for (const member of body.body)
        if (member.type === 'MethodDefinition' && member.kind === 'constructor')
          add(id?.name, member.value.params);
    },
  }).visit(program);
}

/** Reports each expression in a place for a code, and whether its value must be readable there. */
function visitCodes(
  program: ESTree.Program,
  parameters: ReadonlyMap<string, CodeParameter>,
  onCode: (node: ESTree.Node, mustBeReadable: boolean) => void,
): void {
  const superclasses: (string | undefined)[] = [];
  let codeOfDepth = 0;
  const nameOf = (callee: ESTree.Node): string | undefined => {
    if (callee.type === 'Super') return superclasses.at(-1);
    return callee.type === 'Identifier' ? callee.name : undefined;
  };
  const onArgument = (callee: ESTree.Node, args: readonly ESTree.Node[]): void => {
    const name = nameOf(callee);
    const argument = args[parameters.get(name ?? '')?.index ?? args.length];
    if (argument) onCode(argument, name === 'CommandError');
  };
  new Visitor({
    ClassDeclaration: ({ superClass }) =>
      void superclasses.push(superClass?.type === 'Identifier' ? superClass.name : undefined),
    'ClassDeclaration:exit': () => void superclasses.pop(),
    FunctionDeclaration({ id }) {
      if (id?.name === 'codeOf') codeOfDepth++;
    },
    'FunctionDeclaration:exit'({ id }) {
      if (id?.name === 'codeOf') codeOfDepth--;
    },
    ReturnStatement({ argument }) {
      if (codeOfDepth > 0 && argument) onCode(argument, false);
    },
    NewExpression: ({ callee, arguments: args }) => onArgument(callee, args),
    CallExpression: ({ callee, arguments: args }) => onArgument(callee, args),
    Property({ key, value }) {
      if (key.type === 'Identifier' && key.name === 'code') onCode(value, false);
    },
    PropertyDefinition({ key, value }) {
      if (key.type === 'Identifier' && key.name === 'code' && value) onCode(value, false);
    },
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && id.name === 'code' && init) onCode(init, false);
    },
  }).visit(program);
}

/** The expressions that a conditional, an alternative or a default can result in. */
function leavesOf(node: ESTree.Node): readonly ESTree.Node[] {
  if (node.type === 'ConditionalExpression')
    return [...leavesOf(node.consequent), ...leavesOf(node.alternate)];
  if (node.type === 'LogicalExpression') return [...leavesOf(node.left), ...leavesOf(node.right)];
  if (node.type === 'AssignmentPattern') return leavesOf(node.right);
  return [node];
}

/** Whether an expression takes its code from a property or variable `code`, whose value is found at its own place. */
function isForwarded(node: ESTree.Node): boolean {
  if (node.type === 'MemberExpression')
    return node.property.type === 'Identifier' && node.property.name === 'code';
  return node.type === 'Identifier' && node.name === 'code';
}

import { z } from 'zod';
import { operations, type Operation } from '../../src/contract/operations.ts';
import type { ReadOperation } from '../../src/features/account-report/read-operation.ts';

type Node = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
};

/**
 * The operations that `ucctl doctor --report` may call: reads with JSON replies, in the notation of `ReadOperation`.
 * Commands may not load the contract, so this table is stored as a file.
 */
export function readOperations(): Readonly<Record<string, ReadOperation>> {
  const entries: readonly (readonly [string, Operation])[] = Object.entries(operations);
  return Object.fromEntries(
    entries.flatMap(([name, operation]) => {
      const { method, path, reply, authorization, group, dialects, current } = operation;
      if (method !== 'GET' || !reply || (authorization === 'none' && path !== '/restapi')) return [];
      const schema = z.toJSONSchema(reply, { unrepresentable: 'any' }) as Node;
      const members = membersOf(schema);
      const read: ReadOperation = {
        path,
        ...(current?.path !== undefined && { currentPath: current.path }),
        ...(dialects && { dialects }),
        ...(group && { group }),
        members,
      };
      return [[name, read]];
    }),
  );
}

/** The members of a reply below its top level, each as `path:types`, with `?` after the path of an optional one. */
function membersOf(schema: Node): string {
  const found: string[] = [];
  collect(schema, '', found);
  return found.join(' ');
}

function collect(schema: Node, prefix: string, found: string[]): void {
  const variants = variantsOf(schema);
  const objects = variants.filter(({ properties }) => properties);
  const names = new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})));
  for (const name of names) {
    const places = objects.flatMap(({ properties }) => properties?.[name] ?? []);
    const isRequired = objects.every(({ required }) => required?.includes(name));
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const own: Node = { anyOf: places };
    found.push(`${path}${isRequired ? '' : '?'}:${typesOf(own).join('|')}`);
    collect(own, path, found);
  }
  const items = variants.flatMap((variant) => variant.items ?? []);
  if (items.length > 0) collect({ anyOf: items }, `${prefix}[]`, found);
}

/** The schemas that a value can match. */
function variantsOf(schema: Node): readonly Node[] {
  const choices = schema.anyOf ?? schema.oneOf;
  return choices ? choices.flatMap(variantsOf) : [schema];
}

function typesOf(schema: Node): readonly string[] {
  const types = variantsOf(schema).flatMap((variant) => {
    const values = variant.enum ?? ('const' in variant ? [variant.const] : undefined);
    if (values) return values.map((value) => typeof value);
    return [variant.type ?? 'any'].flat().map((type) => (type === 'integer' ? 'number' : type));
  });
  return [...new Set(types)].sort();
}

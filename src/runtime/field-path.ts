import { suggest } from '../platform/suggest.ts';
import { usageError, type CommandError } from '../errors/command.ts';
import type { CommandOutput, Schema, SchemaParts } from './output-schema.ts';
import { readResourceSchemas } from './resource-schemas.ts';

type Definitions = Readonly<Record<string, Schema>>;

/** Returns the error for a path that no record can have, such as `from.phonenumber`; undefined for any other path. */
export type PathCheck = (path: string) => CommandError | undefined;

/** Returns a check of paths into the records of an output. The schemas of resources are read on demand. */
export function pathCheck(output: CommandOutput): PathCheck {
  let definitions: Definitions | undefined;
  return (path) => {
    if (!path.includes('.')) return undefined;
    definitions ??= readResourceSchemas();
    const records = resolved([output.schema], definitions).flatMap((one) =>
      one.items ? [one.items] : [one as Schema],
    );
    const unknown = firstUnknown({ schemas: records, segments: path.split('.'), before: [] }, definitions);
    if (unknown === undefined) return undefined;
    const [meant] = suggest(path, unknown);
    const hint = meant === undefined ? `fields: ${unknown.join(', ')}` : `did you mean ${meant}?`;
    return usageError(`unknown field "${path}"`, hint);
  };
}

/** A part of a path, with the schemas that its values can have. */
interface Walk {
  readonly schemas: readonly Schema[];
  readonly segments: readonly string[];
  /** The segments before this part. */
  readonly before: readonly string[];
}

/**
 * Returns the paths that the schema declares in place of the first unknown member of a path; undefined if the path is
 * declared, or a value on the path is not described. The name of a member may contain dots.
 */
function firstUnknown(
  { schemas, segments, before }: Walk,
  definitions: Definitions,
): readonly string[] | undefined {
  const [first] = segments;
  if (first === undefined) return undefined;
  const parts = resolved(schemas, definitions);
  if (parts.some(isOpen)) return undefined;
  const items = parts.flatMap(({ items: one }): readonly Schema[] => (one ? [one] : []));
  if (items.length > 0 && /^\d+$/.test(first))
    return firstUnknown(
      { schemas: items, segments: segments.slice(1), before: [...before, first] },
      definitions,
    );
  const members = parts.flatMap(({ properties }) => Object.entries(properties ?? {}) as [string, Schema][]);
  for (let count = segments.length; count > 0; count -= 1) {
    const name = segments.slice(0, count).join('.');
    const found = members.filter(([member]) => member === name).map(([, schema]) => schema);
    if (found.length > 0)
      return firstUnknown(
        { schemas: found, segments: segments.slice(count), before: [...before, name] },
        definitions,
      );
  }
  const inItems = resolved(items, definitions).flatMap(({ properties }) => Object.keys(properties ?? {}));
  const names = [...members.map(([name]) => name), ...inItems.map((name) => `0.${name}`)];
  return [...new Set(names)].map((name) => [...before, name].join('.'));
}

/** Returns the schemas to which references, alternatives and combinations refer. */
function resolved(schemas: readonly Schema[], definitions: Definitions): readonly SchemaParts[] {
  return schemas.flatMap((schema): readonly SchemaParts[] => {
    const parts = schema as SchemaParts;
    const { $ref, allOf = [], anyOf = [] } = parts;
    const target = $ref === undefined ? undefined : definitions[$ref.slice($ref.lastIndexOf('/') + 1)];
    const others = [...(target ? [target] : []), ...allOf, ...anyOf];
    return others.length === 0 ? [parts] : resolved(others, definitions);
  });
}

/** Whether a value of this schema may have any members. */
function isOpen({ type, properties, items, additionalProperties }: SchemaParts): boolean {
  if (properties || items) return Boolean(additionalProperties);
  return type === undefined || [type].flat().some((one) => one === 'object' || one === 'array');
}

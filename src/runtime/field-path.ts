import { distance, suggest } from '../platform/suggest.ts';
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
    const isOfService = refers(output.schema);
    const walk = { schemas: records, segments: path.split('.'), before: [], isOfService };
    const unknown = firstUnknown(walk, definitions);
    if (unknown === undefined) return undefined;
    return usageError(`unknown field "${path}"`, hintFor(path, unknown));
  };
}

/** The first unknown member of a path. */
interface UnknownMember {
  /** The path to the object that lacks the member. */
  readonly parent: string;
  /** The paths that exist instead; none for a value without members, such as a text. */
  readonly others: readonly string[];
}

function hintFor(path: string, { parent, others }: UnknownMember): string {
  const [meant] = suggest(path, others);
  if (meant !== undefined) return `did you mean ${meant}?`;
  return others.length > 0 ? `fields: ${others.join(', ')}` : `${parent} has no fields of its own`;
}

/** A part of a path, with the schemas that its values can have. */
interface Walk {
  readonly schemas: readonly Schema[];
  readonly segments: readonly string[];
  /** The segments before this part. */
  readonly before: readonly string[];
  /** Whether the service sent the values, and may send members that the schemas do not declare. */
  readonly isOfService: boolean;
}

/**
 * Returns the first unknown member of a path, and the paths that the schema declares in its place; undefined if the path is
 * declared, or a value on the path is not described. In an object of the service, a member is unknown only if its name is
 * a mistyped name of a declared member. The name of a member may contain dots.
 */
function firstUnknown(
  { schemas, segments, before, ...walk }: Walk,
  definitions: Definitions,
): UnknownMember | undefined {
  const [first] = segments;
  if (first === undefined) return undefined;
  const parts = resolved(schemas, definitions);
  if (parts.some(isOpen)) return undefined;
  const isOfService = walk.isOfService || schemas.some(refers);
  const items = parts.flatMap(({ items: one }): readonly Schema[] => (one ? [one] : []));
  if (items.length > 0 && /^\d+$/.test(first))
    return firstUnknown(
      { schemas: items, segments: segments.slice(1), before: [...before, first], isOfService },
      definitions,
    );
  const members = parts.flatMap(({ properties }) => Object.entries(properties ?? {}) as [string, Schema][]);
  for (let count = segments.length; count > 0; count -= 1) {
    const name = segments.slice(0, count).join('.');
    const found = members.filter(([member]) => member === name).map(([, schema]) => schema);
    if (found.length > 0)
      return firstUnknown(
        { schemas: found, segments: segments.slice(count), before: [...before, name], isOfService },
        definitions,
      );
  }
  if (isOfService && members.length > 0 && !members.some(([name]) => isMistyped(first, name)))
    return undefined;
  const inItems = resolved(items, definitions).flatMap(({ properties }) => Object.keys(properties ?? {}));
  const names = [...members.map(([name]) => name), ...inItems.map((name) => `0.${name}`)];
  const others = [...new Set(names)].map((name) => [...before, name].join('.'));
  return { parent: before.join('.'), others };
}

/** Whether a name differs from a declared name only in case or, if it is not short, in one letter. */
function isMistyped(name: string, declared: string): boolean {
  const edits = distance(name.toLowerCase(), declared.toLowerCase(), 1);
  return edits === 0 || (edits === 1 && name.length > 3);
}

/** Whether a schema refers to a resource of the service. */
function refers(schema: Schema): boolean {
  const { $ref, items, allOf = [], anyOf = [] } = schema as SchemaParts;
  return $ref !== undefined || [...(items ? [items] : []), ...allOf, ...anyOf].some(refers);
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

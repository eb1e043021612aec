import { isJsonObject } from '../../platform/json.ts';
import { presenceShape } from './account.ts';
import type { ReplyShape } from './shape.ts';

/** A shape for the record with this id. A record with another id does not prove that the service processed the request. */
export function withId(shape: ReplyShape, id: string): ReplyShape {
  return { ...shape, problem: (value) => shape.problem(value) ?? otherId(value, id, 'record') };
}

/** The presence of this extension, or one without an extension id. For `~` any extension is accepted. */
export function presenceOf(extensionId: string): ReplyShape {
  if (!/^\d+$/.test(extensionId)) return presenceShape;
  return {
    ...presenceShape,
    problem: (value) =>
      presenceShape.problem(value) ??
      otherId(isJsonObject(value) ? value['extension'] : undefined, extensionId, 'extension'),
  };
}

function otherId(value: unknown, id: string, what: string): string | undefined {
  const found = isJsonObject(value) ? value['id'] : undefined;
  const isText = typeof found === 'string' || typeof found === 'number';
  return isText && String(found) !== id ? `another ${what} (${found})` : undefined;
}

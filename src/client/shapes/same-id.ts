import { isJsonObject } from '../../platform/json.ts';
import { presenceShape } from './account.ts';
import type { ReplyShape } from './shape.ts';

/**
 * Returns a shape for the record with this ID. A record with another ID does not prove that the service processed the
 * request.
 */
export function withId(shape: ReplyShape, id: string): ReplyShape {
  return { ...shape, problem: (value) => shape.problem(value) ?? otherId(value, id, 'record') };
}

/** Returns a shape for a record with this status. A record that names another status contradicts the request. */
export function withStatus(shape: ReplyShape, status: string): ReplyShape {
  return {
    ...shape,
    problem(value) {
      const found = isJsonObject(value) ? value['status'] : undefined;
      const isOther = typeof found === 'string' && found !== status;
      return shape.problem(value) ?? (isOther ? `the status ${found}` : undefined);
    },
  };
}

/** Returns the presence of this extension, or a presence without an extension ID. For `~` any extension is accepted. */
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

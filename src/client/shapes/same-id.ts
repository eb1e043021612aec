import { isJsonObject } from '../../platform/json.ts';
import { presenceShape } from './account.ts';
import type { ReplyShape } from './shape.ts';

/** A record of such a shape with this id: the record of another id proves nothing about this one. */
export function withId(shape: ReplyShape, id: string): ReplyShape {
  return { ...shape, lack: (value) => shape.lack(value) ?? otherId(value, id, 'record') };
}

/** The presence of this extension, also where the reply leaves out whose it is. `~` and aliases of it may be any extension. */
export function presenceOf(extensionId: string): ReplyShape {
  if (!/^\d+$/.test(extensionId)) return presenceShape;
  return {
    ...presenceShape,
    lack: (value) =>
      presenceShape.lack(value) ??
      otherId(isJsonObject(value) ? value['extension'] : undefined, extensionId, 'extension'),
  };
}

function otherId(value: unknown, id: string, what: string): string | undefined {
  const found = isJsonObject(value) ? value['id'] : undefined;
  const isText = typeof found === 'string' || typeof found === 'number';
  return isText && String(found) !== id ? `another ${what} (${found})` : undefined;
}

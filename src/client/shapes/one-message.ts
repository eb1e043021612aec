import { isJsonObject } from '../../platform/json.ts';
import { messageShape } from './message.ts';
import { nothing, type ReplyShape } from './shape.ts';

/**
 * The reply of a request about one message: the message with that id; of a DELETE nothing. A list in the form of a reply for several ids will do
 * where there is something in it.
 */
export function oneMessage(method: string, id: string): ReplyShape {
  const expected = method === 'DELETE' ? nothing : messageShape;
  return {
    ...expected,
    lack: (value) => {
      if (Array.isArray(value)) return value.length > 0 ? undefined : 'an empty list';
      const lacking = expected.lack(value);
      if (lacking !== undefined) return lacking;
      const found = isJsonObject(value) ? String(value['id']) : '';
      return found === id ? undefined : `another message (${found})`;
    },
  };
}

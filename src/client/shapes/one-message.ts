import { isJsonObject } from '../../platform/json.ts';
import { answersIn } from '../batch-reply.ts';
import { messageShape } from './message.ts';
import { nothing, type ReplyShape } from './shape.ts';

/**
 * The reply of a request about one message: the message with that id; of a DELETE nothing. A list in the form of a reply for several ids will do
 * where it says what became of that id.
 */
export function oneMessage(method: string, id: string): ReplyShape {
  const expected = method === 'DELETE' ? nothing : messageShape;
  return {
    ...expected,
    lack: (value) => {
      if (Array.isArray(value)) return answersIn(value).has(id) ? undefined : `a list without ${id}`;
      const lacking = expected.lack(value);
      if (lacking !== undefined) return lacking;
      const found = isJsonObject(value) ? String(value['id']) : '';
      return found === id ? undefined : `another message (${found})`;
    },
  };
}

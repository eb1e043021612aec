import { isJsonObject } from '../../platform/json.ts';
import { messageShape } from './message.ts';
import { nothing, type ReplyShape } from './shape.ts';

/**
 * Returns the reply of a request about one message: the message with that ID, or nothing for a DELETE. A non-empty list
 * in the format of a multi-ID reply is accepted, too.
 */
export function oneMessage(method: string, id: string): ReplyShape {
  const expected = method === 'DELETE' ? nothing : messageShape;
  return {
    ...expected,
    problem: (value) => {
      if (Array.isArray(value)) return value.length > 0 ? undefined : 'an empty list';
      const problem = expected.problem(value);
      if (problem !== undefined) return problem;
      const found = isJsonObject(value) ? String(value['id']) : '';
      return found === id ? undefined : `another message (${found})`;
    },
  };
}

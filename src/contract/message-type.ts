/** Returns the type of a message. `Text` is another name of the type SMS (MESSAGE-5). */
export function messageTypeOf(type: string): string {
  return type === 'Text' ? 'SMS' : type;
}

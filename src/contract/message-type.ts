/**
 * Returns the type of a message. `Text` is another name of the type SMS (MESSAGE-5), and `Voicemail` of the type
 * VoiceMail, as in events.
 */
export function messageTypeOf(type: string): string {
  if (type === 'Text') return 'SMS';
  return type === 'Voicemail' ? 'VoiceMail' : type;
}

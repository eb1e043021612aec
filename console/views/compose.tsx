import { useState } from 'preact/hooks';
import type { ConversationView } from '../../src/sandbox/console/types.ts';
import { api } from '../api.ts';
import { Field } from '../parts/basics.tsx';
import { perform } from '../parts/notice.tsx';
import { useSubmit } from '../parts/once.ts';
import { useQuery } from '../query.ts';
import { go, hrefOf } from '../route.ts';
import { PhoneInput } from './phone-input.tsx';

type Kind = 'sms' | 'voicemail' | 'fax';
const kinds: readonly (readonly [Kind, string])[] = [
  ['sms', 'Text'],
  ['voicemail', 'Voicemail'],
  ['fax', 'Fax'],
];

/** Kinds of messages that the sandbox can receive from outside. */
function inputOf(kind: Kind, to: string, from: string, text: string): object {
  return kind === 'voicemail' ? { to, from, transcription: text } : { to, from, text };
}

/** Writes to the company as the other party of a conversation. */
export function Composer({
  conversation,
  extension,
}: {
  readonly conversation: ConversationView;
  readonly extension: string;
}) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<Kind>('sms');
  const from = conversation.peerNumber ?? '';
  const to = conversation.ownPhoneNumber ?? extension;
  const send = async (): Promise<void> => {
    const sent = await perform(() => api.trigger(kind, inputOf(kind, to, from, text)));
    // The user may have written more meanwhile.
    if (sent) setText((now) => (now === text ? '' : now));
  };
  const submit = useSubmit(send);
  return (
    <form class="composer" onSubmit={submit}>
      <KindChoice value={kind} onChange={setKind} />
      <input
        aria-label={`Write as ${from}`}
        placeholder={`Write as ${from}`}
        value={text}
        required
        autoComplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        Send
      </button>
    </form>
  );
}

function KindChoice({
  value,
  onChange,
  id,
}: {
  readonly value: Kind;
  readonly onChange: (kind: Kind) => void;
  readonly id?: string;
}) {
  return (
    <select
      {...(id === undefined ? { 'aria-label': 'Kind of message' } : { id })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Kind)}
    >
      {kinds.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A message from outside to a number or an extension of the account. */
export function NewMessage() {
  const [from, setFrom] = useState('+14155550142');
  const [to, setTo] = useState('');
  const [kind, setKind] = useState<Kind>('sms');
  const [text, setText] = useState('');
  const status = useQuery('main number', ['service'], api.status);
  const send = async (): Promise<void> => {
    const sender = from.trim();
    const sent = (await perform(() => api.trigger(kind, inputOf(kind, to.trim(), sender, text)))) as
      | { readonly extensionId: string }
      | undefined;
    if (sent) go('messages', sent.extensionId, sender);
  };
  const submit = useSubmit(send);
  return (
    <>
      <header class="pane-header">
        <a class="back" href={hrefOf('messages')}>
          Back
        </a>
        <h2>New message from outside</h2>
      </header>
      <form class="form" onSubmit={submit}>
        <Field label="From (an outside number)">
          {(id) => (
            <input
              id={id}
              value={from}
              required
              inputMode="tel"
              onInput={(event) => setFrom(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="To">
          {(id) => (
            <PhoneInput
              id={id}
              value={to}
              onInput={setTo}
              further={
                status.data
                  ? [[status.data.mainNumber, `The company (${status.data.mainNumber})`] as const]
                  : []
              }
            />
          )}
        </Field>
        <Field label="Kind">{(id) => <KindChoice id={id} value={kind} onChange={setKind} />}</Field>
        <Field label="Text">
          {(id) => (
            <textarea
              id={id}
              rows={4}
              value={text}
              required
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit" class="primary">
          Send
        </button>
      </form>
    </>
  );
}

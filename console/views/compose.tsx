import type { ConversationView } from '../../src/sandbox/console/types.ts';
import { api } from '../api.ts';
import { Field } from '../parts/basics.tsx';
import { useDraft } from '../parts/draft.ts';
import { perform } from '../parts/notice.tsx';
import { useSubmit } from '../parts/once.ts';
import { DetailHeader } from '../parts/panes.tsx';
import { useQuery } from '../query.ts';
import { go, route } from '../route.ts';
import { PhoneInput } from './phone-input.tsx';

/** The place of the form for a new message, below the view. */
export const newThread = 'new';

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
  const from = conversation.peerNumber ?? '';
  const to = conversation.ownPhoneNumber ?? extension;
  const place = `conversation ${extension} ${from}`;
  const text = useDraft(place, '');
  const kind = useDraft<Kind>(`${place} kind`, 'sms');
  const send = async (): Promise<void> => {
    const written = text.value;
    const sent = await perform(() => api.trigger(kind.value, inputOf(kind.value, to, from, written)));
    if (sent) text.clear(written);
  };
  const submit = useSubmit(send);
  return (
    <form class="composer" onSubmit={submit}>
      <KindChoice value={kind.value} onChange={kind.set} />
      <input
        aria-label={`Write as ${from}`}
        placeholder={`Write as ${from}`}
        value={text.value}
        required
        autoComplete="off"
        onInput={(event) => text.set(event.currentTarget.value)}
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
  const from = useDraft('new message from', '+14155550142');
  const to = useDraft('new message to', '');
  const kind = useDraft<Kind>('new message kind', 'sms');
  const text = useDraft('new message text', '');
  const status = useQuery('main number', ['service'], api.status);
  const send = async (): Promise<void> => {
    const written = [from, to, text].map((draft) => [draft, draft.value] as const);
    const chosen = kind.value;
    const sender = from.value.trim();
    const input = inputOf(chosen, to.value.trim(), sender, text.value);
    const sent = (await perform(() => api.trigger(chosen, input))) as
      | { readonly extensionId: string }
      | undefined;
    if (!sent) return;
    for (const [draft, value] of written) draft.clear(value);
    kind.clear(chosen);
    // The user may have opened another place meanwhile.
    const { view, rest } = route.peek();
    if (view === 'messages' && rest[0] === newThread) go('messages', sent.extensionId, sender);
  };
  const submit = useSubmit(send);
  return (
    <>
      <DetailHeader view="messages">
        <h2>New message from outside</h2>
      </DetailHeader>
      <form class="form" onSubmit={submit}>
        <Field label="From (an outside number)">
          {(id) => (
            <input
              id={id}
              value={from.value}
              required
              inputMode="tel"
              onInput={(event) => from.set(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="To">
          {(id) => (
            <PhoneInput
              id={id}
              value={to.value}
              onInput={to.set}
              further={
                status.data
                  ? [[status.data.mainNumber, `The company (${status.data.mainNumber})`] as const]
                  : []
              }
            />
          )}
        </Field>
        <Field label="Kind">{(id) => <KindChoice id={id} value={kind.value} onChange={kind.set} />}</Field>
        <Field label="Text">
          {(id) => (
            <textarea
              id={id}
              rows={4}
              value={text.value}
              required
              onInput={(event) => text.set(event.currentTarget.value)}
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

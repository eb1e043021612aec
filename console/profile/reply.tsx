import { useEffect, useState } from 'preact/hooks';
import type { ChangePreview, CopiedThread } from '../../src/commands/console/types.ts';
import { bump } from '../changes.ts';
import { Command } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { announce, perform } from '../parts/notice.tsx';
import { api } from './api.ts';

/** Replies that were typed and not sent, by conversation: the user may look at another conversation meanwhile. */
const drafts = new Map<string, string>();

interface ReplyProps {
  readonly thread: CopiedThread;
  /** ID of a message of the conversation. */
  readonly id: string;
  /** Identifies the conversation. */
  readonly place: string;
}

/** Writes a reply. It is sent after a confirmation that shows sender, recipient and text. */
export function Reply({ thread, id, place }: ReplyProps) {
  const [text, setText] = useState(drafts.get(place) ?? '');
  useEffect(() => {
    drafts.set(place, text);
  }, [place, text]);
  const [change, setChange] = useState<ChangePreview>();
  const preview = async (event: Event): Promise<void> => {
    event.preventDefault();
    setChange(await perform(() => api.previewReply(thread.mailbox, id, text)));
  };
  const send = async (): Promise<void> => {
    // The dialog shows a failure, and the text stays in the field.
    await api.change(change?.id ?? '');
    announce('Sent. The next sync copies the message.');
    setChange(undefined);
    setText('');
    bump(['messages', 'service']);
  };
  return (
    <>
      <form class="composer answer" onSubmit={(event) => void preview(event)}>
        <input
          aria-label="Reply"
          placeholder="Reply"
          value={text}
          required
          autoComplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Send…
        </button>
      </form>
      {change && (
        <Confirm
          title="Send this message?"
          action="Send"
          onConfirm={send}
          onClose={() => setChange(undefined)}
        >
          {change.notes.map((note) => (
            <p key={note} class="wrap">
              {note}
            </p>
          ))}
          <p class="quiet small">
            {thread.reply === 'sms'
              ? 'Sending a text may cost money.'
              : 'The message goes to everyone in the thread.'}
          </p>
          <Command>{change.command}</Command>
        </Confirm>
      )}
    </>
  );
}

import { useState } from 'preact/hooks';
import type { ChangePreview, CopiedThread } from '../../src/commands/console/types.ts';
import { bump } from '../changes.ts';
import { Command } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { useDraft } from '../parts/draft.ts';
import { announce, perform } from '../parts/notice.tsx';
import { useSubmit } from '../parts/once.ts';
import { api } from './api.ts';

interface ReplyProps {
  readonly thread: CopiedThread;
  /** ID of a message of the conversation. */
  readonly id: string;
  /** Identifies the conversation. */
  readonly place: string;
}

/** Writes a reply. It is sent after a confirmation that shows sender, recipient and text. */
export function Reply({ thread, id, place }: ReplyProps) {
  const text = useDraft(place, '');
  const [asked, setAsked] = useState<{ readonly change: ChangePreview; readonly text: string }>();
  const submit = useSubmit(async () => {
    const change = await perform(() => api.previewReply(thread.mailbox, id, text.value));
    if (change) setAsked({ change, text: text.value });
  });
  const send = async (): Promise<void> => {
    if (!asked) return;
    // The dialog shows a failure, and the text stays in the field.
    await api.change(asked.change.id);
    // The user may have opened another conversation meanwhile, or written more before the dialog opened.
    text.clear(asked.text);
    announce('Sent. The next sync copies the message.');
    setAsked(undefined);
    bump(['messages', 'service']);
  };
  return (
    <>
      <form class="composer answer" onSubmit={submit}>
        <input
          aria-label="Reply"
          placeholder="Reply"
          value={text.value}
          required
          autoComplete="off"
          onInput={(event) => text.set(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Send…
        </button>
      </form>
      {asked && (
        <Confirm
          title="Send this message?"
          action="Send"
          onConfirm={send}
          onClose={() => setAsked(undefined)}
        >
          {asked.change.notes.map((note) => (
            <p key={note} class="wrap">
              {note}
            </p>
          ))}
          <p class="quiet small">
            {thread.reply === 'sms'
              ? 'Sending a text may cost money.'
              : 'The message goes to everyone in the thread.'}
          </p>
          <Command>{asked.change.command}</Command>
        </Confirm>
      )}
    </>
  );
}

import type { ChangePreview, CopiedThread } from '../../src/commands/console/types.ts';
import { bump } from '../changes.ts';
import { Command } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { useDraft } from '../parts/draft.ts';
import { announce, perform } from '../parts/notice.tsx';
import { useSubmit } from '../parts/once.ts';
import { useQuestion } from '../parts/question.ts';
import { useUnderWay } from '../parts/under-way.ts';
import { api } from './api.ts';
import { addSent } from './sent.ts';

interface ReplyProps {
  readonly thread: CopiedThread;
  /** ID of a message of the conversation. */
  readonly id: string;
  /** Identifies the conversation. */
  readonly place: string;
}

/** A message that the user must confirm. */
interface Question {
  readonly change: ChangePreview;
  readonly text: string;
}

/** Writes a reply. It is sent after a confirmation that shows sender, recipient and text. */
export function Reply({ thread, id, place }: ReplyProps) {
  const text = useDraft(place, '');
  const { question, ask, close } = useQuestion<Question>();
  const { isUnderWay, make } = useUnderWay(`reply ${place}`);
  const submit = useSubmit(async () => {
    const written = text.value;
    const change = await perform(() => api.previewReply(thread.mailbox, id, written));
    if (change) ask({ change, text: written });
  });
  const send = async (confirmed: Question): Promise<void> => {
    // The dialog shows a failure, and the text stays in the field.
    const { result } = await make(() => api.change(confirmed.change.id));
    addSent(place, confirmed.text, result);
    // The user may have opened another conversation meanwhile, or written more before the dialog opened.
    text.clear(confirmed.text);
    announce('Sent.');
    close(confirmed);
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
        <button type="submit" class="primary" disabled={isUnderWay}>
          {isUnderWay ? 'Sending…' : 'Send…'}
        </button>
      </form>
      {question && (
        <Confirm
          title="Send this message?"
          action="Send"
          onConfirm={() => send(question)}
          onClose={() => close(question)}
        >
          {question.change.notes.map((note) => (
            <p key={note} class="wrap">
              {note}
            </p>
          ))}
          <p class="quiet small">
            {thread.reply === 'sms'
              ? 'Sending a text may cost money.'
              : 'The message goes to everyone in the thread.'}
          </p>
          <Command>{question.change.command}</Command>
        </Confirm>
      )}
    </>
  );
}

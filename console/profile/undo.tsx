import type { ChangePreview } from '../../src/commands/console/types.ts';
import { Command } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { perform } from '../parts/notice.tsx';
import { useOnce } from '../parts/once.ts';
import { useQuestion } from '../parts/question.ts';
import { useUnderWay } from '../parts/under-way.ts';
import { api } from './api.ts';
import { makeChange } from './make-change.ts';

/** A button that undoes a run after a confirmation. */
export function Undo({ run, onDone }: { readonly run: string; readonly onDone?: () => void }) {
  const { question, ask, close } = useQuestion<ChangePreview>();
  const { isUnderWay, make } = useUnderWay(`undo ${run}`);
  const once = useOnce();
  const preview = async (): Promise<void> => {
    const change = await perform(() => api.previewUndo(run));
    if (change) ask(change);
  };
  const undo = async (change: ChangePreview): Promise<void> => {
    await make(() => makeChange(change));
    close(change);
    onDone?.();
  };
  return (
    <>
      <button
        type="button"
        aria-label={`Undo run ${run}`}
        disabled={isUnderWay}
        onClick={(event) => void once(preview, event)}
      >
        {isUnderWay ? 'Undoing…' : 'Undo…'}
      </button>
      {question && (
        <Confirm
          title="Undo this run?"
          action="Undo"
          onConfirm={() => undo(question)}
          onClose={() => close(question)}
        >
          {question.notes.map((note) => (
            <p key={note} class="wrap">
              {note}
            </p>
          ))}
          <Command>{question.command}</Command>
        </Confirm>
      )}
    </>
  );
}

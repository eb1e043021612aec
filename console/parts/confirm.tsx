import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Problem } from './basics.tsx';
import { announceFailure } from './notice.tsx';

interface ConfirmProps {
  readonly title: string;
  /** Label of the button that makes the change. */
  readonly action: string;
  readonly children: ComponentChildren;
  /** Makes the change. The dialog stays open and shows the message if it rejects. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/**
 * Asks before something is sent or changed. Escape closes it, but not while the change is made, because closing would not
 * stop the change.
 */
export function Confirm({ title, action, children, onConfirm, onClose }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    cancel.current?.focus();
    return () => {
      // A dialog that is removed while it is open does not return the focus.
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      // Browsers close a dialog at a second Escape.
      if (dialog.current?.open !== true) announceFailure(text);
      setProblem(text);
      setBusy(false);
    }
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        if (isBusy) event.preventDefault();
      }}
      onClose={onClose}
    >
      <h2 id={id}>{title}</h2>
      {children}
      <Problem text={problem} />
      <div class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void confirm()}>
          {action}
        </button>
        <button type="button" ref={cancel} disabled={isBusy} onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}

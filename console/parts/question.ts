import { useState } from 'preact/hooks';

/** Whether a dialog is open. */
export function isAsking(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

interface Asked<T> {
  /** What the open dialog asks about. */
  readonly question: T | undefined;
  /** Asks, unless a dialog is open: the user would answer another question than the one that was read. */
  readonly ask: (question: T) => void;
  /** Closes the dialog, unless it asks another question by now. */
  readonly close: (question: T) => void;
}

/** The question of a dialog, which may open late, for example after a reply of the service. */
export function useQuestion<T extends object>(): Asked<T> {
  const [question, setQuestion] = useState<T>();
  return {
    question,
    ask: (wanted) => {
      if (!isAsking()) setQuestion((open) => open ?? wanted);
    },
    close: (answered) => setQuestion((open) => (open === answered ? undefined : open)),
  };
}

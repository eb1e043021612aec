import { signal } from '@preact/signals';

const drafts = signal<ReadonlyMap<string, unknown>>(new Map());

interface Draft<T> {
  /** The input so far, also if it changed after the last drawing. */
  readonly value: T;
  readonly set: (value: T) => void;
  /** Sets the initial value after a value was sent, unless the user has changed it meanwhile. */
  readonly clear: (sent: T) => void;
}

/**
 * An input that was not sent, by its place in the page. It remains until the page is closed: the user may open another
 * view or conversation meanwhile.
 */
export function useDraft<T = string>(place: string, initial: NoInfer<T>): Draft<T> {
  const read = (): T => (drafts.peek().get(place) as T | undefined) ?? initial;
  const set = (value: T): void => {
    drafts.value = new Map(drafts.peek()).set(place, value);
  };
  void drafts.value;
  return {
    get value() {
      return read();
    },
    set,
    clear: (sent) => {
      if (read() === sent) set(initial);
    },
  };
}

import { signal } from '@preact/signals';

const changing = signal<ReadonlySet<string>>(new Set());

interface UnderWay {
  readonly isUnderWay: boolean;
  /** Makes a change, which is under way until its reply. */
  readonly make: <T>(change: () => Promise<T>) => Promise<T>;
}

/**
 * Whether a confirmed change is under way, by its place in the page. The user may leave its view, which closes its dialog
 * but does not stop the change, and must not make it again after the return.
 */
export function useUnderWay(place: string): UnderWay {
  return {
    isUnderWay: changing.value.has(place),
    make: async (change) => {
      changing.value = new Set(changing.peek()).add(place);
      try {
        return await change();
      } finally {
        changing.value = new Set([...changing.peek()].filter((other) => other !== place));
      }
    },
  };
}

import { safe } from '../platform/terminal-text.ts';
import { fit } from './fit.ts';

/** Work that ends sooner shows nothing, and does not load the library. */
const patience = 300;
/** Lines below the first at a time. */
const mostParts = 8;

export interface Spinner {
  /** Shows `text` beside the label, and `parts` on lines of their own below. */
  update(text: string, parts?: readonly string[]): void;
  /** Runs `print` with the spinner's line out of the way. */
  aside(print: () => Promise<void>): Promise<void>;
  stop(): void;
}

/** Shows `label` with a moving sign on `stream` after a short wait. */
export function startSpinner(label: string, stream: NodeJS.WriteStream): Spinner {
  let stopped = false;
  let text = safe(label);
  let shown: { text: string; clear(): unknown; render(): unknown; stop(): unknown } | undefined;
  const show = async (): Promise<void> => {
    const { default: ora } = await import('ora');
    if (!stopped) shown = ora({ text, stream, discardStdin: false }).start();
  };
  // A spinner that cannot be shown must not end the work that it stands for.
  const timer = setTimeout(() => void show().catch(() => undefined), patience);
  return {
    async aside(print) {
      shown?.clear();
      await print();
      if (!stopped) shown?.render();
    },
    update(more, parts = []) {
      const below = parts.slice(0, mostParts);
      const hidden = parts.length - below.length;
      // A line that would wrap is cut: what is drawn over must have the height it had.
      const lines = [...below, ...(hidden > 0 ? [`… and ${hidden} more`] : [])];
      text = [
        `${safe(label)}  ${safe(more)}`,
        ...lines.map((line) => fit(`  ${safe(line)}`, stream.columns - 1)),
      ].join('\n');
      if (shown) shown.text = text;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      shown?.stop();
    },
  };
}

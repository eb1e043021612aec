import { safe } from '../platform/terminal-text.ts';

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
  let head = safe(label);
  let parts: readonly string[] = [];
  let shown: { text: string; clear(): unknown; render(): unknown; stop(): unknown } | undefined;
  let paint = (): string => head;
  const show = async (): Promise<void> => {
    // Only who waits pays for them.
    const [{ default: ora }, { fit }] = await Promise.all([
      import('ora'),
      import('../platform/text-width.ts'),
    ]);
    // A line that would wrap is cut: what is drawn over must have the height that it had.
    paint = () =>
      [head, ...bounded(parts).map((line) => fit(`  ${safe(line)}`, stream.columns - 1))].join('\n');
    if (!stopped) shown = ora({ text: paint(), stream, discardStdin: false }).start();
  };
  // A spinner that cannot be shown must not end the work that it stands for.
  const timer = setTimeout(() => void show().catch(() => undefined), patience);
  return {
    async aside(print) {
      shown?.clear();
      await print();
      if (!stopped) shown?.render();
    },
    update(more, below = []) {
      head = `${safe(label)}  ${safe(more)}`;
      parts = below;
      if (shown) shown.text = paint();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      shown?.stop();
    },
  };
}

function bounded(parts: readonly string[]): readonly string[] {
  const hidden = parts.length - mostParts;
  return hidden > 0 ? [...parts.slice(0, mostParts), `… and ${hidden} more`] : parts;
}

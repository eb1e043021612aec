import { safe } from '../platform/terminal-text.ts';

/** Delay in milliseconds: shorter work shows no spinner and does not load the library. */
const showAfter = 300;
/** Columns of the sign before the label. */
const signWidth = 2;
/** A progress bar in the text after the label, such as `[####----]`. A narrow terminal shows only the numbers after it. */
const bar = /\[#*-*\] +/;
/** Maximum number of lines below the label. */
const maxParts = 8;

export interface Spinner {
  /** Shows `text` after the label, and each of `parts` on a separate line below. */
  update(text: string, parts?: readonly string[]): void;
  /** Hides the spinner while `print` runs. */
  printAbove(print: () => Promise<void>): Promise<void>;
  stop(): void;
}

/** Shows `label` with an animation on `stream` after a short delay. */
export function startSpinner(label: string, stream: NodeJS.WriteStream): Spinner {
  let stopped = false;
  let head = safe(label);
  let parts: readonly string[] = [];
  let shown: { text: string; clear(): unknown; render(): unknown; stop(): unknown } | undefined;
  let paint = (): string => head;
  const show = async (): Promise<void> => {
    // The libraries are loaded on demand, because short work needs no spinner.
    const [{ default: ora }, { fit, widthOf }] = await Promise.all([
      import('ora'),
      import('../platform/text-width.ts'),
    ]);
    // Lines are truncated to the width, because a wrapped line would change the height and redrawing would not clear it.
    paint = () => {
      const room = stream.columns - 1;
      const whole = widthOf(head) + signWidth <= room ? head : head.replace(bar, '');
      const below = bounded(parts).map((line) => fit(`  ${safe(line)}`, room));
      return [fit(whole, Math.max(room - signWidth, 1)), ...below].join('\n');
    };
    if (!stopped) shown = ora({ text: paint(), stream, discardStdin: false }).start();
  };
  // A failure of the spinner must not end the work.
  const timer = setTimeout(() => void show().catch(() => undefined), showAfter);
  return {
    async printAbove(print) {
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
  const hidden = parts.length - maxParts;
  return hidden > 0 ? [...parts.slice(0, maxParts), `… and ${hidden} more`] : parts;
}

import { OneTimeValues } from '../../platform/one-time-values.ts';
import { PageError, type PageRoute } from '../../platform/local-page/page-route.ts';
import { shellLine } from '../../platform/shell-quoted.ts';
import type { Context } from '../../runtime/context.ts';
import type { BackgroundWork } from './background-work.ts';
import { runForPage } from './run-command.ts';
import type { ChangePreview, CommandResult } from './types.ts';

interface PendingChange {
  /** The command line that makes the change. */
  readonly words: readonly string[];
  readonly input: string;
  /** Runs after the change. */
  readonly after: (() => Promise<unknown>) | undefined;
}

/** What a change needs in addition to its command line. */
interface ChangeParts {
  readonly input?: string;
  /** Runs after a successful change, without delaying its reply. A failure has no effect. */
  readonly after?: () => Promise<unknown>;
}

/** Changes that the page has shown to the user, who has not confirmed them yet. Each can be made once. */
export class PendingChanges {
  readonly #ctx: Context;
  readonly #background: BackgroundWork;
  readonly #changes: OneTimeValues<PendingChange>;

  constructor(ctx: Context, background: BackgroundWork) {
    this.#ctx = ctx;
    this.#background = background;
    this.#changes = new OneTimeValues(() => ctx.now());
  }

  /** Stores a change that `preview` describes. */
  add(
    words: readonly string[],
    preview: Omit<ChangePreview, 'id' | 'command'>,
    { input = '', after }: ChangeParts = {},
  ): ChangePreview {
    const id = this.#changes.add({ words, input, after });
    return { id, command: `ucctl ${shellLine(words)}`, ...preview };
  }

  /** The route that makes a confirmed change. */
  route(): PageRoute {
    return {
      method: 'POST',
      path: '/api/changes/:id',
      answer: ({ params }) => this.#run(params['id'] ?? ''),
    };
  }

  async #run(id: string): Promise<CommandResult> {
    const change = this.#changes.take(id);
    if (!change)
      throw new PageError(
        409,
        'this change was already made, or its preview has expired; show the changes again',
      );
    const { words, input, after } = change;
    // A change that has begun runs to its end even if the browser is closed.
    const result = await runForPage(this.#ctx, ['--yes', ...words], { input, signal: this.#ctx.signal });
    if (after) this.#background.add(after());
    return result;
  }
}

import { createHash } from 'node:crypto';
import { messageOf } from '../../errors/command.ts';
import { shellLine } from '../../platform/shell-quoted.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { Context } from '../../runtime/context.ts';
import { hintFor } from '../../runtime/hint-for.ts';
import type { AllowedTools } from './allowed-tools.ts';
import type { CallLog } from './call-log.ts';
import type { CallOutcome } from './call.rows.ts';
import { isSuccess, type NestedResult, type NestedRunOptions, runNested } from '../../runtime/nested-run.ts';
import type { Plan, Plans } from './plans.ts';
import { planDigest } from './plan-digest.ts';
import { questionOf } from './question.ts';
import { defaultLimit, readToolCall, type ToolCall } from './tool-words.ts';
import { needsConfirmation, ownArguments, type Tool } from './tools.ts';

/** The user's answer to the question whether to make a change; undefined if the user was not asked. */
export interface Answer {
  readonly planId: string;
  readonly isConfirmed: boolean;
}

/** A request to call a tool. */
export interface ToolRequest {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  /** Name and version of the client. */
  readonly client: string;
  /** Whether the client can ask the user. */
  readonly canAsk: boolean;
  readonly answer: Answer | undefined;
  readonly signal: AbortSignal;
  readonly onNote: (line: string) => void;
}

/** The result of a tool, which the client receives as structured content. */
export interface ToolResult {
  readonly command: string;
  readonly status: 'done' | 'failed' | 'preview' | 'declined';
  /** Exit code of the command. */
  readonly exit?: number;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly notes?: readonly string[];
  /** With status `preview`: the plan that a second call can run. */
  readonly plan_id?: string;
}

/** The next step of a call: return its result, or ask the user first. */
export type ToolReply =
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'ask'; readonly question: string; readonly plan: Plan };

/** The objects that the calls of one connection share. */
export interface ToolRuntime {
  readonly ctx: Context;
  readonly plans: Plans;
  readonly log: CallLog;
  readonly isStillAllowed: AllowedTools['isStillAllowed'];
}

/** Runs a tool, or its preview. Never throws. */
export async function callTool(runtime: ToolRuntime, request: ToolRequest): Promise<ToolReply> {
  const { tool, input } = request;
  let call: ToolCall;
  try {
    call = readToolCall(tool, input);
  } catch (error) {
    return failure(tool.name, { code: 'usage', message: messageOf(error) });
  }
  try {
    return await new Call(runtime, request, call).run();
  } catch (error) {
    return failure(shellLine(call.words), { code: 'not_run', message: messageOf(error) });
  }
}

function failure(command: string, error: unknown): ToolReply {
  return { kind: 'result', result: { command, status: 'failed', error } };
}

class Call {
  readonly #runtime: ToolRuntime;
  readonly #request: ToolRequest;
  readonly #call: ToolCall;

  constructor(runtime: ToolRuntime, request: ToolRequest, call: ToolCall) {
    this.#runtime = runtime;
    this.#request = request;
    this.#call = call;
  }

  async run(): Promise<ToolReply> {
    const { tool, planId } = this.#call;
    if (!(await this.#runtime.isStillAllowed(tool))) return this.#forbidden();
    if (!needsConfirmation(tool.access)) return this.#read();
    const { answer } = this.#request;
    if (answer) return this.#answered(answer);
    if (planId !== undefined) return this.#confirmed(planId);
    return this.#preview();
  }

  /** The user has changed the policy of the profile since the start of the server. */
  async #forbidden(): Promise<ToolReply> {
    await this.#log('rejected', undefined);
    return failure(this.#command, {
      code: 'not_allowed',
      message: `the profile no longer allows the tool ${this.#call.tool.name}`,
      hint: hintFor(
        this.#runtime.ctx,
        nextStep`only the user can allow tools: ${ucctl('config set mcp-allow TOOL,...')}`,
      ),
    });
  }

  async #read(): Promise<ToolReply> {
    const ran = await this.#nested([]);
    const unrecorded = await this.#logOrNote(isSuccess(ran) ? 'read' : 'failed', ran.exit);
    return this.#result(withNotes(ran, unrecorded), isSuccess(ran) ? 'done' : 'failed');
  }

  /** Shows what the command would send. Nothing is changed. */
  async #preview(): Promise<ToolReply> {
    const { ctx, plans } = this.#runtime;
    const previewedAt = ctx.now();
    const { ran, digest } = await this.#dryRun(previewedAt);
    if (!isSuccess(ran)) {
      await this.#log('rejected', ran.exit);
      return this.#result(ran, 'failed');
    }
    await this.#log('preview', ran.exit);
    const plan = plans.add({ words: this.#call.words, digest, previewedAt });
    if (this.#request.canAsk) return { kind: 'ask', question: questionOf(this.#call, ran), plan };
    return this.#result(ran, 'preview', plan.id);
  }

  async #answered({ planId, isConfirmed }: Answer): Promise<ToolReply> {
    if (isConfirmed) return this.#confirmed(planId);
    this.#runtime.plans.take(planId, this.#call.words);
    await this.#log('declined', undefined);
    return {
      kind: 'result',
      result: {
        command: this.#command,
        status: 'declined',
        notes: ['The user declined. Nothing was changed.'],
      },
    };
  }

  /** Runs a plan, if the plan would still send the requests that its preview showed. */
  async #confirmed(planId: string): Promise<ToolReply> {
    const plan = this.#runtime.plans.take(planId, this.#call.words);
    if (!plan) {
      await this.#log('rejected', undefined);
      return failure(this.#command, {
        code: 'plan_not_found',
        message: `plan ${planId} not found: the plan was already used, has expired, or was created for different arguments`,
        hint: `call the tool without ${ownArguments.plan} for a new preview`,
      });
    }
    const { previewedAt } = plan;
    const { ran: again, digest } = await this.#dryRun(previewedAt);
    if (!isSuccess(again)) {
      await this.#log('rejected', again.exit);
      return this.#result(again, 'failed');
    }
    if (digest !== plan.digest) {
      await this.#log('rejected', again.exit);
      return failure(this.#command, {
        code: 'plan_outdated',
        message:
          'the data on the service or a file of the command has changed since the preview, so the command would now send something else',
        hint: `call the tool without ${ownArguments.plan} for a new preview`,
      });
    }
    // The call is recorded before the change, because a change without a record must not be made.
    await this.#log('started', undefined);
    const ran = await this.#nested(['--yes'], { baseTime: previewedAt });
    const outcome = isSuccess(ran) ? 'done' : 'failed';
    // The change is over then, so its result must not be lost.
    const unrecorded = await this.#logOrNote(outcome, ran.exit);
    return this.#result(withNotes(ran, unrecorded), outcome);
  }

  #nested(
    flags: readonly string[],
    more: Pick<NestedRunOptions, 'baseTime' | 'onOutput'> = {},
  ): Promise<NestedResult> {
    const { signal, onNote } = this.#request;
    const { words, fields } = this.#call;
    return runNested(this.#runtime.ctx, [...flags, ...words], { signal, onNote, fields, ...more });
  }

  #log(outcome: CallOutcome, exit: number | undefined): Promise<void> {
    const { client } = this.#request;
    const { tool, words } = this.#call;
    return this.#runtime.log.add({ client, tool: tool.name, words, outcome, exit });
  }

  /** Records the outcome of a command that has run. A failure becomes a note, because the result is known. */
  #logOrNote(outcome: CallOutcome, exit: number | undefined): Promise<readonly string[]> {
    return this.#log(outcome, exit).then(() => [], unrecordedNote);
  }

  /** Runs the preview. The digest covers what the command would send. */
  async #dryRun(baseTime: number): Promise<{ readonly ran: NestedResult; readonly digest: string }> {
    const output = createHash('sha256');
    const onOutput = (text: string): void => void output.update(text);
    const ran = await this.#nested(['--dry-run'], { baseTime, onOutput });
    const digest = await planDigest(output.digest('hex'), this.#call.files, this.#runtime.ctx.cwd);
    return { ran, digest };
  }

  get #command(): string {
    return `ucctl ${shellLine(this.#call.words)}`;
  }

  #result(ran: NestedResult, status: ToolResult['status'], planId?: string): ToolReply {
    const notes = [
      ...ran.notes,
      ...(this.#call.isLimited
        ? [`The result has at most ${defaultLimit} rows. To get more rows, set limit.`]
        : []),
      ...(planId === undefined
        ? []
        : [`Nothing was changed. To run the command, repeat the call with ${ownArguments.plan}.`]),
    ];
    const tooLong = ran.tooLong === undefined ? undefined : tooLongError(ran.tooLong);
    const error = ran.error ?? tooLong;
    return {
      kind: 'result',
      result: {
        command: this.#command,
        // The change was made even if its result is too long.
        status: tooLong && this.#call.tool.access === 'read' ? 'failed' : status,
        exit: ran.exit,
        ...(ran.result !== undefined && { result: ran.result }),
        ...(error !== undefined && { error }),
        ...(notes.length > 0 && { notes }),
        ...(planId !== undefined && { plan_id: planId }),
      },
    };
  }
}

function withNotes(ran: NestedResult, notes: readonly string[]): NestedResult {
  return { ...ran, notes: [...ran.notes, ...notes] };
}

function unrecordedNote(error: unknown): readonly string[] {
  return [`ucctl could not record the outcome of this call in its log: ${messageOf(error)}`];
}

function tooLongError(length: number): unknown {
  return {
    code: 'result_too_long',
    message: `the result is too long for an agent: ${length} characters`,
    hint: `filter the list, set limit, or select members with ${ownArguments.fields}`,
  };
}

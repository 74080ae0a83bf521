import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { listActive } from './delivery.queries.ts';
import { Line, type LineContext } from './line.ts';

const AT_ONCE_MAX = 6;
/** Dead and slow receivers at once, so that they leave room for the others. */
const TARDY_AT_ONCE_MAX = 3;
const TARDY_MS = 1_000;
/** A webhook that has much to catch up with lets the others go first again after so many messages. */
const STEPS_IN_A_ROW_MAX = 10;
/** A step makes at most ten statements and calls, and the platform allows 1,000 an invocation. */
const STEPS_A_RUN_MAX = 90;
const AFTER_ERROR_MS = 5_000;

export interface RunEnd {
  /** When there is something to do again; null: when an event comes. */
  readonly nextAt: number | null;
  /** The workspace has no active webhook. */
  readonly isIdle: boolean;
}

/** Sends to all webhooks of a workspace, a few at once. It lives as long as its object. */
export class Dispatcher {
  readonly #context: LineContext;
  readonly #waiting: Line[] = [];
  readonly #running = new Map<number, { line: Line; work: Promise<void> }>();
  /** Receivers that were slow last time. */
  readonly #slow = new Set<number>();
  /** Something changed while they were being served. */
  readonly #missed = new Set<number>();
  /** Ran into an error of our own; they are tried again after a while. */
  readonly #broken = new Set<number>();
  #stepsLeft = 0;
  #isStale = true;
  #wake: () => void = () => undefined;

  constructor(context: LineContext) {
    this.#context = context;
  }

  /** Something has changed: webhooks that are not being served are looked up again. */
  refresh() {
    this.#isStale = true;
    this.#wake();
  }

  /** Serves until no webhook lags, or until one invocation can do no more: then a receiver may still be at work. */
  async run(): Promise<RunEnd> {
    this.#stepsLeft = STEPS_A_RUN_MAX;
    this.#broken.clear();
    this.#context.creators.forgetAll();
    this.#isStale = true;
    for (;;) {
      await this.#serveAll();
      const end = await this.#end();
      if (!this.#isStale || this.#stepsLeft <= 0) return end;
    }
  }

  async #serveAll() {
    for (;;) {
      if (this.#isStale) await this.#load();
      for (let line = this.#take(); line; line = this.#take()) this.#start(line);
      if (this.#stepsLeft <= 0) return;
      if (this.#isStale) continue;
      if (this.#running.size === 0) return;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([woken, ...[...this.#running.values()].map(({ work }) => work)]);
    }
  }

  async #load() {
    this.#isStale = false;
    const scope = this.#open();
    const { cell, workspace } = this.#context.place();
    const [active] = await scope.cell(cell).batch([listActive(workspace)]);
    for (const sender of active) {
      const { id, lags, next_attempt_at: nextAttemptAt } = sender;
      if (this.#running.has(id)) this.#missed.add(id);
      else if (lags === 1 && (nextAttemptAt ?? 0) <= scope.now && !this.#isKnown(id)) {
        this.#waiting.push(new Line(this.#context, sender));
      }
    }
  }

  #isKnown(id: number): boolean {
    return this.#broken.has(id) || this.#waiting.some((line) => line.id === id);
  }

  #open(): RequestScope {
    this.#stepsLeft -= 1;
    return this.#context.open();
  }

  /**
   * The next that may start: healthy ones first, and only some of those that fail or are slow. One place is theirs, because
   * the others may always have something to get.
   */
  #take(): Line | undefined {
    if (this.#running.size >= AT_ONCE_MAX || this.#stepsLeft <= 0) return undefined;
    const running = [...this.#running.values()].filter(({ line }) => this.#isTardy(line)).length;
    const tardy = this.#waiting.findIndex((line) => this.#isTardy(line));
    const healthy = this.#waiting.findIndex((line) => !this.#isTardy(line));
    const isTheirTurn = running === 0 || (healthy < 0 && running < TARDY_AT_ONCE_MAX);
    const index = tardy >= 0 && isTheirTurn ? tardy : healthy;
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  #isTardy(line: Line): boolean {
    return line.isFailing || this.#slow.has(line.id);
  }

  #start(line: Line) {
    const work = this.#serve(line).finally(() => {
      this.#running.delete(line.id);
      // Its last look may have been before the change.
      if (this.#missed.delete(line.id)) this.#isStale = true;
    });
    this.#running.set(line.id, { line, work });
  }

  async #serve(line: Line) {
    try {
      for (let steps = 0; steps < STEPS_IN_A_ROW_MAX && this.#stepsLeft > 0; steps += 1) {
        this.#stepsLeft -= 1;
        const goesOn = await line.step();
        if (line.lastMs > TARDY_MS) this.#slow.add(line.id);
        else this.#slow.delete(line.id);
        if (!goesOn) return;
      }
      this.#waiting.push(line);
    } catch (error) {
      // The next run sends again what was not recorded, under the same id.
      this.#broken.add(line.id);
      log('error', 'webhook.failed', { webhook: line.id, cause: describeError(error) });
    }
  }

  async #end(): Promise<RunEnd> {
    const scope = this.#context.open();
    const { now } = scope;
    const { cell, workspace } = this.#context.place();
    const [active] = await scope.cell(cell).batch([listActive(workspace)]);
    if (this.#stepsLeft <= 0) return { nextAt: now, isIdle: false };
    const times = active.flatMap(({ id, lags, next_attempt_at: nextAttemptAt }) => {
      if (this.#broken.has(id)) return now + AFTER_ERROR_MS;
      return lags === 1 && nextAttemptAt !== null ? nextAttemptAt : [];
    });
    return { nextAt: times.length > 0 ? Math.min(...times) : null, isIdle: active.length === 0 };
  }
}

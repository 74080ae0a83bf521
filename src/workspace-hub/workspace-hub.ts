import { DurableObject } from 'cloudflare:workers';
import { parseEnv } from '../env.ts';
import { findHead } from '../event-log/head.queries.ts';
import { CostMeter } from '../kernel/cost.ts';
import { Database } from '../kernel/database.ts';

/** A flood of waiting requests would keep the object busy; whoever comes after these waits without it. */
const WAITERS_MAX = 1_000;

/**
 * Whoever follows a workspace without asking again and again is told here that something happened: long polls, and pages
 * over WebSockets. It tells nothing else. What happened stands in the log, and each reads it with their own rights.
 */
export class WorkspaceHub extends DurableObject<Env> {
  readonly #waiters = new Set<() => void>();

  /** Something was logged. Called after every commit that did. */
  async wake(): Promise<void> {
    for (const resume of [...this.#waiters]) resume();
  }

  /**
   * Resolves once the log goes beyond `after`, or when the time is over.
   * @param ms is how long to wait at most.
   */
  async waitForEvent(after: number, ms: number): Promise<void> {
    if (this.#waiters.size >= WAITERS_MAX) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return;
    }
    const change = Promise.withResolvers<void>();
    this.#waiters.add(change.resolve);
    const timer = setTimeout(change.resolve, ms);
    try {
      // The reader looked before this object knew of them; what was logged in between woke nobody.
      if ((await this.#head()) > after) return;
      await change.promise;
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(change.resolve);
    }
  }

  async #head(): Promise<number> {
    const { cell, workspace } = this.#workspace();
    const [head] = await cell.batch([findHead(workspace)]);
    return head;
  }

  /** The object is named after its cell and the number of its workspace there (kernel/workspace-hub.ts). */
  #workspace(): { cell: Database; workspace: number } {
    const [cell, workspace] = (this.ctx.id.name ?? '').split('/').map(Number);
    const binding = parseEnv(this.env).cells.get(cell ?? -1);
    if (!binding || workspace === undefined) throw new Error(`no workspace is named ${this.ctx.id.name}`);
    return { cell: new Database(binding, new CostMeter()), workspace };
  }
}

// Simulates browsers with open boards and changes tasks, except while the bench pauses it. Runs in a separate,
// low-priority process.
import { setTimeout as sleep } from 'node:timers/promises';
import { RefreshPace } from '../../src/web/client/refresh-pace.ts';
import { computeQuantile } from '../load.ts';

export interface NoiseOptions {
  readonly origin: string;
  readonly base: string;
  readonly cookies: readonly string[];
  /** The projects whose tasks are changed. Each board shows one of them. */
  readonly projects: readonly number[];
  readonly tasks: readonly number[];
  readonly token: string;
  readonly changesPerSecond: number;
}

/** While the noise is paused, tasks don't change and boards don't refresh. */
export type NoiseCommand = { readonly open: NoiseOptions } | { readonly isPaused: boolean };

export interface NoiseFigures {
  readonly changes: number;
  readonly refreshes: number;
  readonly rejected: number;
  readonly failed: number;
  /** The 95th percentile of the time from the message about a change until a board shows it. */
  readonly staleMs95: number;
  readonly staleMsMax: number;
}

const statuses = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'];
const BOARDS_OPENED_AT_ONCE = 5;
const RECONNECT_MS = 500;
const POLL_MS = 20;

let isPaused = true;
let pausedAt = performance.now();
let pausedMs = 0;
const waiting: Board[] = [];
let underWay = 0;
let changes = 0;
let refreshes = 0;
let rejected = 0;
let failed = 0;
let stale: number[] = [];

/** A clock that stops while the noise is paused. */
const getNoisyMs = () => (isPaused ? pausedAt : performance.now()) - pausedMs;

interface LiveMessage {
  readonly projects?: readonly number[];
  readonly pages: number;
  readonly slot: number;
}

/** Behaves like an open board (src/web/client/live.ts), but has no DOM. */
class Board {
  readonly #url: string;
  readonly #origin: string;
  readonly #project: number;
  readonly #pace = new RefreshPace();
  #cookie: string;
  #tag: string | null = null;
  #isScheduled = false;
  #isRefreshing = false;
  #hasMissedChange = false;
  #staleSince: number | null = null;

  constructor({ origin, base }: NoiseOptions, cookie: string, project: number) {
    this.#origin = origin;
    this.#url = `${origin}${base}/projects/${project}`;
    this.#cookie = cookie;
    this.#project = project;
  }

  async open(live: string): Promise<void> {
    await this.#fetch();
    // The hub admits a new session only after a page has copied the session to the cell.
    while (!(await this.#connect(live))) await sleep(RECONNECT_MS);
  }

  #connect(live: string): Promise<boolean> {
    const socket = new WebSocket(live.replace('http', 'ws'), {
      headers: { Cookie: this.#cookie, Origin: this.#origin },
    } as never);
    const admitted = Promise.withResolvers<boolean>();
    let isAdmitted = false;
    socket.addEventListener('error', () => admitted.resolve(false));
    socket.addEventListener('close', () => {
      if (isAdmitted) throw new Error('The socket of a board was closed');
      admitted.resolve(false);
    });
    socket.addEventListener('message', ({ data }) => {
      const { projects, pages, slot } = JSON.parse(String(data)) as LiveMessage;
      Object.assign(this.#pace, { openPages: pages, slot });
      if (isAdmitted && (!projects || projects.includes(this.#project))) this.#scheduleRefresh();
      isAdmitted = true;
      admitted.resolve(true);
    });
    return admitted.promise;
  }

  resume() {
    setTimeout(() => void this.#refresh(), this.#pace.getDelayMs());
  }

  #scheduleRefresh() {
    this.#staleSince ??= getNoisyMs();
    if (this.#isScheduled) return;
    if (this.#isRefreshing) {
      this.#hasMissedChange = true;
      return;
    }
    this.#isScheduled = true;
    setTimeout(() => void this.#refresh(), this.#pace.getDelayMs());
  }

  async #refresh() {
    if (isPaused) return void waiting.push(this);
    const since = this.#staleSince ?? getNoisyMs();
    this.#isScheduled = false;
    this.#isRefreshing = true;
    this.#staleSince = null;
    this.#pace.recordRefresh();
    underWay += 1;
    const isShown = await this.#fetch();
    underWay -= 1;
    this.#isRefreshing = false;
    if (isShown) stale.push(getNoisyMs() - since);
    else this.#staleSince = since;
    if (!isShown || this.#hasMissedChange) {
      this.#hasMissedChange = false;
      this.#scheduleRefresh();
    }
  }

  async #fetch(): Promise<boolean> {
    const answer = await fetch(this.#url, {
      headers: {
        Accept: 'text/html',
        Cookie: this.#cookie,
        ...(this.#tag === null ? {} : { 'If-None-Match': this.#tag }),
      },
      redirect: 'manual',
    });
    await answer.text();
    refreshes += 1;
    if (answer.status === 429) {
      rejected += 1;
      this.#pace.pause(Number(answer.headers.get('Retry-After')));
      return false;
    }
    if (answer.status !== 200 && answer.status !== 304)
      throw new Error(`${this.#url} returned ${answer.status}`);
    this.#tag = answer.headers.get('ETag') ?? this.#tag;
    for (const cookie of answer.headers.getSetCookie()) this.#cookie += `; ${cookie.split(';')[0]}`;
    return true;
  }
}

async function open(noise: NoiseOptions): Promise<void> {
  const boards = noise.cookies.map(
    (cookie, index) => new Board(noise, cookie, noise.projects[index % noise.projects.length] ?? 0),
  );
  const closed = [...boards];
  const openSome = async () => {
    for (let board = closed.pop(); board; board = closed.pop())
      await board.open(`${noise.origin}${noise.base}/live`);
  };
  await Promise.all(Array.from({ length: BOARDS_OPENED_AT_ONCE }, openSome));
  process.send?.({ openBoards: boards.length });
  await changeTasks(noise);
}

async function changeTasks({ origin, tasks, token, changesPerSecond }: NoiseOptions): Promise<never> {
  for (let next = 0, number = 0; ; next += 1_000 / changesPerSecond, number += 1) {
    next = Math.max(next, performance.now() - 1_000);
    await sleep(Math.max(0, next - performance.now()));
    if (isPaused) continue;
    underWay += 1;
    // Shifts the statuses in each pass, because a task that already has the status wouldn't change.
    const status = statuses[(number + Math.floor(number / tasks.length)) % statuses.length];
    void fetch(`${origin}/v1/tasks/${tasks[number % tasks.length]}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ status }),
    }).then(async (answer) => {
      await answer.text();
      underWay -= 1;
      if (answer.status === 200) changes += 1;
      else if (answer.status === 429) rejected += 1;
      else failed += 1;
    });
  }
}

process.once('disconnect', () => process.exit(0));
process.on('message', (order: NoiseCommand) => {
  if ('open' in order) void open(order.open);
  else if (order.isPaused) void pause();
  else resume();
});

function resume() {
  [changes, refreshes, rejected, failed, stale] = [0, 0, 0, 0, []];
  pausedMs += performance.now() - pausedAt;
  isPaused = false;
  for (const board of waiting.splice(0)) board.resume();
}

async function pause() {
  pausedAt = performance.now();
  isPaused = true;
  const figures = {
    changes,
    refreshes,
    rejected,
    failed,
    staleMs95: computeQuantile(stale, 0.95),
    staleMsMax: Math.max(0, ...stale),
  };
  while (underWay > 0) await sleep(POLL_MS);
  process.send?.(figures);
}

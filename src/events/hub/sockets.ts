import { areSignedIn } from '../../accounts/browser-sessions/browser-session.queries.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { listChangedProjectsOf, listNewest, listPresentMembers, type ToldEvent } from './sockets.queries.ts';

/** Whom a socket belongs to; kept with the socket while the object sleeps. */
export interface Listener {
  readonly member: number;
  /** The version of the membership when the socket opened; a person whose membership changed opens a new socket. */
  readonly version: number;
  /** The hash that names the browser session. */
  readonly idHash: string;
  /** Sees only some projects, so hears only of those. */
  readonly isLimited: boolean;
}

/** After more events than this a message names no projects, and every page takes itself for changed. */
const EVENTS_TOLD_MAX = 200;
/** Tells a browser to open a new socket, if it still may. */
const CLOSE_AGAIN = 4001;

/**
 * Tells every socket what changed, `{seq, projects}` and nothing else, and closes those whose person signed out, left or
 * was changed: that is asked each time, so no way of signing out and no change of role can forget it.
 * @param after the last event that was told; null if this object does not remember.
 * @returns the last event that was told now.
 */
export async function tellSockets(
  sockets: readonly WebSocket[],
  after: number | null,
  { cell, directory, workspace }: { cell: Database; directory: Database; workspace: number },
): Promise<number> {
  const all = sockets.map((socket) => ({ socket, ...(socket.deserializeAttachment() as Listener) }));
  const limited = new Set(all.flatMap(({ isLimited, member }) => (isLimited ? [member] : [])));
  // One that does not remember names no project.
  const [from, most] = after === null ? [0, 1] : [after, EVENTS_TOLD_MAX];
  const [[events, present, joined], [signedIn]] = await Promise.all([
    cell.batch([
      listNewest(workspace, from, most),
      listPresentMembers(workspace, [...new Set(all.map(({ member }) => member))]),
      listChangedProjectsOf(workspace, [...limited], from, most),
    ]),
    directory.batch([
      areSignedIn(
        all.map(({ idHash }) => idHash),
        Date.now(),
      ),
    ]),
  ]);
  const head = events[0]?.seq ?? after ?? 0;
  const joinedBy = Map.groupBy(joined, ({ member }) => member);
  const versions = new Map(present.map(({ no, version }) => [no, version]));
  const isComplete = after !== null && events.length < EVENTS_TOLD_MAX;
  for (const { socket, member, version, idHash, isLimited } of all) {
    if (versions.get(member) !== version || !signedIn.has(idHash)) {
      socket.close(CLOSE_AGAIN, 'sign in again');
      continue;
    }
    const own = isLimited ? new Set(joinedBy.get(member)?.map(({ project }) => project)) : null;
    const message = isComplete ? messageFor(events, member, own) : { seq: head };
    if (message) socket.send(JSON.stringify(message));
  }
  return head;
}

/** Null if nothing of it concerns the person. Without projects it concerns every page. */
function messageFor(events: readonly ToldEvent[], member: number, own: ReadonlySet<number> | null) {
  const seen = events.filter(({ reader }) => reader === null || reader === member);
  const [newest] = seen;
  if (!newest) return null;
  const projects = [...new Set(seen.map(({ project }) => project))];
  // A client may follow a task of a project that they do not see; then they only hear that something happened.
  const told = projects.flatMap((project) =>
    project !== null && (own === null || own.has(project)) ? [project] : [],
  );
  return told.length === projects.length ? { seq: newest.seq, projects: told } : { seq: newest.seq };
}

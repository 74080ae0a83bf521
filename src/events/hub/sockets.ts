import { findOpenSessionHashes } from '../../accounts/browser-sessions/workspace-session.queries.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { findNewestSeq } from '../log/newest-seq.queries.ts';
import {
  listActiveMembers,
  listChangedProjectsOfMembers,
  listNewestEvents,
  type SocketEvent,
} from './sockets.queries.ts';

/** If there are more new events than this, messages don't name projects, so every page refreshes. */
const EVENTS_SENT_MAX = 200;
/** If more tasks than this have changed, messages don't name tasks, so every task's page refreshes. */
const TASKS_SENT_MAX = 50;
/** A prime number, so that all open pages take turns being the first to refresh. */
const SLOTS_SHIFTED_PER_EVENT = 7_919;
const RECONNECT_CODE = 4001;

export interface Listener {
  readonly member: number;
  readonly idHash: string;
}

interface AdmittedSocket extends Listener {
  readonly version: number;
  readonly isLimited: boolean;
  readonly sent: number;
}

interface WorkspaceCell {
  readonly cell: Database;
  readonly workspace: number;
}

export function closeUnadmittedSockets(sockets: readonly WebSocket[]): void {
  for (const socket of sockets) if (readAdmission(socket) === null) socket.close(RECONNECT_CODE, 'try again');
}

/** Call this after reading the database, because sending to a socket that has closed in the meantime throws. */
export function isOpen({ readyState }: WebSocket): boolean {
  return readyState === WebSocket.OPEN;
}

function readAdmission(socket: WebSocket): AdmittedSocket | null {
  const stored = socket.deserializeAttachment() as Listener | AdmittedSocket;
  return 'version' in stored ? stored : null;
}

/**
 * Admits new sockets, and closes those whose session has ended. Sends each page the `seq` of the newest event, so that
 * the page refreshes only if it missed an event.
 */
export async function admitSockets(
  sockets: readonly WebSocket[],
  { cell, workspace }: WorkspaceCell,
): Promise<void> {
  const waiting = sockets
    .filter((socket) => readAdmission(socket) === null)
    .map((socket) => ({ socket, listener: socket.deserializeAttachment() as Listener }));
  if (waiting.length === 0) return;
  const [seq, present, open] = await cell.batch([
    findNewestSeq(workspace),
    ...readAccess(
      workspace,
      waiting.map(({ listener }) => listener),
    ),
  ]);
  const members = new Map(present.map((member) => [member.no, member]));
  const pages = sockets.length;
  for (const [index, { socket, listener }] of waiting.entries()) {
    if (!isOpen(socket)) continue;
    const member = members.get(listener.member);
    if (!member || !open.has(listener.idHash)) {
      socket.close(RECONNECT_CODE, 'sign in again');
      continue;
    }
    const { version } = member;
    storeAdmission(socket, {
      ...listener,
      version,
      isLimited: getReach(member, 'seeTasks') !== 'all',
      sent: seq,
    });
    socket.send(JSON.stringify({ seq, pages, slot: pages - waiting.length + index }));
  }
}

export async function notifySockets(
  sockets: readonly WebSocket[],
  { cell, workspace }: WorkspaceCell,
): Promise<void> {
  const all = sockets.flatMap((socket, index) => {
    const admitted = readAdmission(socket);
    return admitted ? [{ socket, index, admitted }] : [];
  });
  if (all.length === 0) return;
  const listeners = all.map(({ admitted }) => admitted);
  const limited = new Set(listeners.flatMap(({ isLimited, member }) => (isLimited ? [member] : [])));
  // Reads the events after the lowest `seq` that was last sent to a page. Pages that were admitted recently have
  // already received later events.
  const after = listeners.reduce((oldest, { sent }) => Math.min(oldest, sent), Number.POSITIVE_INFINITY);
  const [events, joined, present, open] = await cell.batch([
    listNewestEvents(workspace, after, EVENTS_SENT_MAX),
    listChangedProjectsOfMembers(workspace, [...limited], after, EVENTS_SENT_MAX),
    ...readAccess(workspace, listeners),
  ]);
  const head = events[0]?.seq ?? after;
  const joinedBy = Map.groupBy(joined, ({ member }) => member);
  const versions = new Map(present.map(({ no, version }) => [no, version]));
  const isComplete = events.length < EVENTS_SENT_MAX;
  for (const { socket, index, admitted } of all) {
    if (!isOpen(socket)) continue;
    const { member, version, idHash, isLimited, sent } = admitted;
    if (versions.get(member) !== version || !open.has(idHash)) {
      socket.close(RECONNECT_CODE, 'sign in again');
      continue;
    }
    const own = isLimited ? new Set(joinedBy.get(member)?.map(({ project }) => project)) : null;
    const unsent = events.filter(({ seq }) => seq > sent);
    const message = isComplete || unsent.length === 0 ? buildMessage(unsent, member, own) : { seq: head };
    if (message) socket.send(JSON.stringify({ ...message, ...assignSlot(sockets, index, head) }));
    storeAdmission(socket, { ...admitted, sent: Math.max(sent, head) });
  }
}

function assignSlot({ length: pages }: readonly WebSocket[], index: number, seq: number) {
  return { pages, slot: (index + seq * SLOTS_SHIFTED_PER_EVENT) % pages };
}

function storeAdmission(socket: WebSocket, admitted: AdmittedSocket) {
  socket.serializeAttachment(admitted);
}

function readAccess(workspace: number, listeners: readonly Listener[]) {
  const members = [...new Set(listeners.map(({ member }) => member))];
  const idHashes = [...new Set(listeners.map(({ idHash }) => idHash))];
  return [
    listActiveMembers(workspace, members),
    findOpenSessionHashes(workspace, idHashes, Date.now()),
  ] as const;
}

/**
 * Returns null if no event concerns the person. A message without projects concerns every page. Only people who can see
 * every task receive task ids. Pages from earlier versions also read these messages, and ignore unknown fields.
 */
function buildMessage(events: readonly SocketEvent[], member: number, own: ReadonlySet<number> | null) {
  const seen = events.filter(({ reader }) => reader === null || reader === member);
  const [newest] = seen;
  if (!newest) return null;
  const projects = [
    ...new Set(
      seen.flatMap((event) => [event.project, ...parseRelatedTasks(event).map(([, project]) => project)]),
    ),
  ];
  // People with the client role can follow tasks without access to the project, so the message must not name it.
  const named = projects.flatMap((project) =>
    project !== null && (own === null || own.has(project)) ? [project] : [],
  );
  if (named.length < projects.length) return { seq: newest.seq };
  const tasks = own === null ? listChangedTasks(seen) : null;
  return { seq: newest.seq, projects: named, ...(tasks && { tasks }) };
}

/**
 * Returns null if one of the changes can appear on any task's page, such as a project's new name or a running timer.
 */
function listChangedTasks(events: readonly SocketEvent[]): number[] | null {
  const tasks = new Set<number>();
  for (const event of events) {
    const { task, reader, parent, earlier_parent, is_renamed_parent } = event;
    if (task === null || reader !== null || is_renamed_parent) return null;
    const related = parseRelatedTasks(event).map(([id]) => id);
    for (const id of [task, parent, earlier_parent, ...related]) if (id !== null) tasks.add(id);
  }
  return tasks.size <= TASKS_SENT_MAX ? [...tasks] : null;
}

function parseRelatedTasks({ related }: SocketEvent): [task: number, project: number][] {
  return related === null ? [] : JSON.parse(related);
}
